// The rows of the zoo's table, in TorchVision's order of families.
#include <array>

#include "frontend/zoo/model_table.h"

namespace quantc::frontend {
namespace {

constexpr image::Preprocessing imagenet(std::int64_t resize, std::int64_t crop) {
  return {.resize = resize,
          .crop = crop,
          .filter = image::Filter::kBilinear,
          .mean = {0.485F, 0.456F, 0.406F},
          .std = {0.229F, 0.224F, 0.225F}};
}

constexpr image::Preprocessing imagenet_bicubic(std::int64_t resize, std::int64_t crop) {
  image::Preprocessing preprocessing = imagenet(resize, crop);
  preprocessing.filter = image::Filter::kBicubic;
  return preprocessing;
}

// Pixels to [-1, 1].
constexpr image::Preprocessing half_bicubic(std::int64_t resize, std::int64_t crop) {
  image::Preprocessing preprocessing = imagenet_bicubic(resize, crop);
  preprocessing.mean = preprocessing.std = {0.5F, 0.5F, 0.5F};
  return preprocessing;
}

// name, weights file, parameters, GMAC, top-1, preprocessing, smallest input, architecture,
// whether the smallest input is the only one.
// Figures: metadata of TorchVision's default weights.
// clang-format off
constexpr auto kModels = std::to_array<ModelInfo>({
    {"alexnet", "alexnet-owt-7be5be79.pth", 61100840, 0.714, 56.522, imagenet(256, 224), 63, AlexNetConfig{}},
    {"convnext_tiny", "convnext_tiny-983f1562.pth", 28589128, 4.456, 82.52, imagenet(236, 224), 32, ConvNextConfig{{3, 3, 9, 3}, 96}},
    {"convnext_small", "convnext_small-0c510722.pth", 50223688, 8.684, 83.616, imagenet(230, 224), 32, ConvNextConfig{{3, 3, 27, 3}, 96}},
    {"convnext_base", "convnext_base-6075fbad.pth", 88591464, 15.355, 84.062, imagenet(232, 224), 32, ConvNextConfig{{3, 3, 27, 3}, 128}},
    {"convnext_large", "convnext_large-ea097f82.pth", 197767336, 34.361, 84.414, imagenet(232, 224), 32, ConvNextConfig{{3, 3, 27, 3}, 192}},
    {"densenet121", "densenet121-a639ec97.pth", 7978856, 2.834, 74.434, imagenet(256, 224), 29, DenseNetConfig{32, {6, 12, 24, 16}, 64}},
    {"densenet161", "densenet161-8d451a50.pth", 28681000, 7.728, 77.138, imagenet(256, 224), 29, DenseNetConfig{48, {6, 12, 36, 24}, 96}},
    {"densenet169", "densenet169-b2777c0a.pth", 14149480, 3.36, 75.6, imagenet(256, 224), 29, DenseNetConfig{32, {6, 12, 32, 32}, 64}},
    {"densenet201", "densenet201-c1103571.pth", 20013928, 4.291, 76.896, imagenet(256, 224), 29, DenseNetConfig{32, {6, 12, 48, 32}, 64}},
    {"efficientnet_b0", "efficientnet_b0_rwightman-7f5810bc.pth", 5288548, 0.386, 77.692, imagenet_bicubic(256, 224), 1, EfficientNetConfig{1.0, 1.0}},
    {"efficientnet_b1", "efficientnet_b1-c27df63c.pth", 7794184, 0.687, 79.838, imagenet(255, 240), 1, EfficientNetConfig{1.0, 1.1}},
    {"efficientnet_b2", "efficientnet_b2_rwightman-c35c1473.pth", 9109994, 1.088, 80.608, imagenet_bicubic(288, 288), 1, EfficientNetConfig{1.1, 1.2}},
    {"efficientnet_b3", "efficientnet_b3_rwightman-b3899882.pth", 12233232, 1.827, 82.008, imagenet_bicubic(320, 300), 1, EfficientNetConfig{1.2, 1.4}},
    {"efficientnet_b4", "efficientnet_b4_rwightman-23ab8bcd.pth", 19341616, 4.394, 83.384, imagenet_bicubic(384, 380), 1, EfficientNetConfig{1.4, 1.8}},
    {"efficientnet_b5", "efficientnet_b5_lukemelas-1a07897c.pth", 30389784, 10.266, 83.444, imagenet_bicubic(456, 456), 1, EfficientNetConfig{1.6, 2.2, 1e-3}},
    {"efficientnet_b6", "efficientnet_b6_lukemelas-24a108a5.pth", 43040704, 19.068, 84.008, imagenet_bicubic(528, 528), 1, EfficientNetConfig{1.8, 2.6, 1e-3}},
    {"efficientnet_b7", "efficientnet_b7_lukemelas-c5b4e57e.pth", 66347960, 37.746, 84.122, imagenet_bicubic(600, 600), 1, EfficientNetConfig{2.0, 3.1, 1e-3}},
    {"efficientnet_v2_s", "efficientnet_v2_s-dd5fe13b.pth", 21458488, 8.366, 84.228, imagenet(384, 384), 33, EfficientNetV2Config{EfficientNetV2Config::kSmall}},
    {"efficientnet_v2_m", "efficientnet_v2_m-dc08266a.pth", 54139356, 24.582, 85.112, imagenet(480, 480), 33, EfficientNetV2Config{EfficientNetV2Config::kMedium}},
    {"efficientnet_v2_l", "efficientnet_v2_l-59c71312.pth", 118515272, 56.08, 85.808, half_bicubic(480, 480), 33, EfficientNetV2Config{EfficientNetV2Config::kLarge}},
    {"googlenet", "googlenet-1378be20.pth", 6624904, 1.498, 69.778, imagenet(256, 224), 15, GoogLeNetConfig{}},
    {"inception_v3", "inception_v3_google-0cc3c7bd.pth", 27161264, 5.713, 77.294, imagenet(342, 299), 75, InceptionV3Config{}},
    {"maxvit_t", "maxvit_t-bc5ab103.pth", 30919624, 5.558, 83.7, imagenet_bicubic(224, 224), 224, MaxVitConfig{}, true},
    {"mnasnet0_5", "mnasnet0.5_top1_67.823-3ffadce67e.pth", 2218512, 0.104, 67.734, imagenet(256, 224), 1, MnasNetConfig{0.5}},
    {"mnasnet0_75", "mnasnet0_75-7090bc5f.pth", 3170208, 0.215, 71.18, imagenet(232, 224), 1, MnasNetConfig{0.75}},
    {"mnasnet1_0", "mnasnet1.0_top1_73.512-f206786ef8.pth", 4383312, 0.314, 73.456, imagenet(256, 224), 1, MnasNetConfig{1.0}},
    {"mnasnet1_3", "mnasnet1_3-a4c69d6f.pth", 6282256, 0.526, 76.506, imagenet(232, 224), 1, MnasNetConfig{1.3}},
    {"mobilenet_v2", "mobilenet_v2-7ebf99e0.pth", 3504872, 0.301, 72.154, imagenet(232, 224), 1, MobileNetV2Config{}},
    {"mobilenet_v3_large", "mobilenet_v3_large-5c1a4163.pth", 5483032, 0.217, 75.274, imagenet(232, 224), 1, MobileNetV3Config{MobileNetV3Config::kLarge}},
    {"mobilenet_v3_small", "mobilenet_v3_small-047dcff4.pth", 2542856, 0.057, 67.668, imagenet(256, 224), 1, MobileNetV3Config{MobileNetV3Config::kSmall}},
    {"regnet_y_400mf", "regnet_y_400mf-e6988f5f.pth", 4344144, 0.402, 75.804, imagenet(232, 224), 1, RegNetConfig{{1, 3, 6, 6}, {48, 104, 208, 440}, 8, true}},
    {"regnet_y_800mf", "regnet_y_800mf-58fc7688.pth", 6432512, 0.834, 78.828, imagenet(232, 224), 1, RegNetConfig{{1, 3, 8, 2}, {64, 144, 320, 784}, 16, true}},
    {"regnet_y_1_6gf", "regnet_y_1_6gf-0d7bc02a.pth", 11202430, 1.612, 80.876, imagenet(232, 224), 1, RegNetConfig{{2, 6, 17, 2}, {48, 120, 336, 888}, 24, true}},
    {"regnet_y_3_2gf", "regnet_y_3_2gf-9180c971.pth", 19436338, 3.176, 81.982, imagenet(232, 224), 1, RegNetConfig{{2, 5, 13, 1}, {72, 216, 576, 1512}, 24, true}},
    {"regnet_y_8gf", "regnet_y_8gf-dc2b1b54.pth", 39381472, 8.473, 82.828, imagenet(232, 224), 1, RegNetConfig{{2, 4, 10, 1}, {224, 448, 896, 2016}, 56, true}},
    {"regnet_y_16gf", "regnet_y_16gf-3e4a00f9.pth", 83590140, 15.912, 82.886, imagenet(232, 224), 1, RegNetConfig{{2, 4, 11, 1}, {224, 448, 1232, 3024}, 112, true}},
    {"regnet_y_32gf", "regnet_y_32gf-8db6d4b5.pth", 145046770, 32.28, 83.368, imagenet(232, 224), 1, RegNetConfig{{2, 5, 12, 1}, {232, 696, 1392, 3712}, 232, true}},
    {"regnet_y_128gf", "regnet_y_128gf_swag-c8ce3e52.pth", 644812894, 374.57, 88.228, imagenet_bicubic(384, 384), 1, RegNetConfig{{2, 7, 17, 1}, {528, 1056, 2904, 7392}, 264, true}},
    {"regnet_x_400mf", "regnet_x_400mf-62229a5f.pth", 5495976, 0.414, 74.864, imagenet(232, 224), 1, RegNetConfig{{1, 2, 7, 12}, {32, 64, 160, 400}, 16}},
    {"regnet_x_800mf", "regnet_x_800mf-94a99ebd.pth", 7259656, 0.8, 77.522, imagenet(232, 224), 1, RegNetConfig{{1, 3, 7, 5}, {64, 128, 288, 672}, 16}},
    {"regnet_x_1_6gf", "regnet_x_1_6gf-a12f2b72.pth", 9190136, 1.603, 79.668, imagenet(232, 224), 1, RegNetConfig{{2, 4, 10, 2}, {72, 168, 408, 912}, 24}},
    {"regnet_x_3_2gf", "regnet_x_3_2gf-7071aa85.pth", 15296552, 3.177, 81.196, imagenet(232, 224), 1, RegNetConfig{{2, 6, 15, 2}, {96, 192, 432, 1008}, 48}},
    {"regnet_x_8gf", "regnet_x_8gf-2b70d774.pth", 39572648, 7.995, 81.682, imagenet(232, 224), 1, RegNetConfig{{2, 5, 15, 1}, {80, 240, 720, 1920}, 120}},
    {"regnet_x_16gf", "regnet_x_16gf-ba3796d7.pth", 54278536, 15.941, 82.716, imagenet(232, 224), 1, RegNetConfig{{2, 6, 13, 1}, {256, 512, 896, 2048}, 128}},
    {"regnet_x_32gf", "regnet_x_32gf-6eb8fdc6.pth", 107811560, 31.736, 83.014, imagenet(232, 224), 1, RegNetConfig{{2, 7, 13, 1}, {336, 672, 1344, 2520}, 168}},
    {"resnet18", "resnet18-f37072fd.pth", 11689512, 1.814, 69.758, imagenet(256, 224), 1, ResNetConfig{false, {2, 2, 2, 2}}},
    {"resnet34", "resnet34-b627a593.pth", 21797672, 3.664, 73.314, imagenet(256, 224), 1, ResNetConfig{false, {3, 4, 6, 3}}},
    {"resnet50", "resnet50-11ad3fa6.pth", 25557032, 4.089, 80.858, imagenet(232, 224), 1, ResNetConfig{true, {3, 4, 6, 3}}},
    {"resnet101", "resnet101-cd907fc2.pth", 44549160, 7.801, 81.886, imagenet(232, 224), 1, ResNetConfig{true, {3, 4, 23, 3}}},
    {"resnet152", "resnet152-f82ba261.pth", 60192808, 11.514, 82.284, imagenet(232, 224), 1, ResNetConfig{true, {3, 8, 36, 3}}},
    {"resnext50_32x4d", "resnext50_32x4d-1a0047aa.pth", 25028904, 4.23, 81.198, imagenet(232, 224), 1, ResNetConfig{true, {3, 4, 6, 3}, 32, 4}},
    {"resnext101_32x8d", "resnext101_32x8d-110c445d.pth", 88791336, 16.414, 82.834, imagenet(232, 224), 1, ResNetConfig{true, {3, 4, 23, 3}, 32, 8}},
    {"resnext101_64x4d", "resnext101_64x4d-173b62eb.pth", 83455272, 15.46, 83.246, imagenet(232, 224), 1, ResNetConfig{true, {3, 4, 23, 3}, 64, 4}},
    {"wide_resnet50_2", "wide_resnet50_2-9ba9bcbe.pth", 68883240, 11.398, 81.602, imagenet(232, 224), 1, ResNetConfig{true, {3, 4, 6, 3}, 1, 128}},
    {"wide_resnet101_2", "wide_resnet101_2-d733dc28.pth", 126886696, 22.753, 82.51, imagenet(232, 224), 1, ResNetConfig{true, {3, 4, 23, 3}, 1, 128}},
    {"shufflenet_v2_x0_5", "shufflenetv2_x0.5-f707e7126e.pth", 1366792, 0.04, 60.552, imagenet(256, 224), 1, ShuffleNetV2Config{{48, 96, 192}, 1024}},
    {"shufflenet_v2_x1_0", "shufflenetv2_x1-5666bf0f80.pth", 2278604, 0.145, 69.362, imagenet(256, 224), 1, ShuffleNetV2Config{{116, 232, 464}, 1024}},
    {"shufflenet_v2_x1_5", "shufflenetv2_x1_5-3c479a10.pth", 3503624, 0.296, 72.996, imagenet(232, 224), 1, ShuffleNetV2Config{{176, 352, 704}, 1024}},
    {"shufflenet_v2_x2_0", "shufflenetv2_x2_0-8be3c8ee.pth", 7393996, 0.583, 76.23, imagenet(232, 224), 1, ShuffleNetV2Config{{244, 488, 976}, 2048}},
    {"squeezenet1_0", "squeezenet1_0-b66bff10.pth", 1248424, 0.819, 58.092, imagenet(256, 224), 21, SqueezeNetConfig{false}},
    {"squeezenet1_1", "squeezenet1_1-b8a52dc0.pth", 1235496, 0.349, 58.178, imagenet(256, 224), 17, SqueezeNetConfig{true}},
    {"swin_t", "swin_t-704ceda3.pth", 28288354, 4.491, 81.474, imagenet_bicubic(232, 224), 224, SwinConfig{{2, 2, 6, 2}, 96}},
    {"swin_s", "swin_s-5e29d889.pth", 49606258, 8.741, 83.196, imagenet_bicubic(246, 224), 224, SwinConfig{{2, 2, 18, 2}, 96}},
    {"swin_b", "swin_b-68c6b09e.pth", 87768224, 15.431, 83.582, imagenet_bicubic(238, 224), 224, SwinConfig{{2, 2, 18, 2}, 128}},
    {"swin_v2_t", "swin_v2_t-b137f0e2.pth", 28351570, 5.94, 82.072, imagenet_bicubic(260, 256), 256, SwinConfig{{2, 2, 6, 2}, 96, true}},
    {"swin_v2_s", "swin_v2_s-637d8ceb.pth", 49737442, 11.546, 83.712, imagenet_bicubic(260, 256), 256, SwinConfig{{2, 2, 18, 2}, 96, true}},
    {"swin_v2_b", "swin_v2_b-781e5279.pth", 87930848, 20.325, 84.112, imagenet_bicubic(272, 256), 256, SwinConfig{{2, 2, 18, 2}, 128, true}},
    {"vgg11", "vgg11-8a719046.pth", 132863336, 7.609, 69.02, imagenet(256, 224), 32, VggConfig{{1, 1, 2, 2, 2}, false}},
    {"vgg11_bn", "vgg11_bn-6002323d.pth", 132868840, 7.609, 70.37, imagenet(256, 224), 32, VggConfig{{1, 1, 2, 2, 2}, true}},
    {"vgg13", "vgg13-19584684.pth", 133047848, 11.308, 69.928, imagenet(256, 224), 32, VggConfig{{2, 2, 2, 2, 2}, false}},
    {"vgg13_bn", "vgg13_bn-abd245e5.pth", 133053736, 11.308, 71.586, imagenet(256, 224), 32, VggConfig{{2, 2, 2, 2, 2}, true}},
    {"vgg16", "vgg16-397923af.pth", 138357544, 15.47, 71.592, imagenet(256, 224), 32, VggConfig{{2, 2, 3, 3, 3}, false}},
    {"vgg16_bn", "vgg16_bn-6c64b313.pth", 138365992, 15.47, 73.36, imagenet(256, 224), 32, VggConfig{{2, 2, 3, 3, 3}, true}},
    {"vgg19", "vgg19-dcbb9e9d.pth", 143667240, 19.632, 72.376, imagenet(256, 224), 32, VggConfig{{2, 2, 4, 4, 4}, false}},
    {"vgg19_bn", "vgg19_bn-c79401a0.pth", 143678248, 19.632, 74.218, imagenet(256, 224), 32, VggConfig{{2, 2, 4, 4, 4}, true}},
    {"vit_b_16", "vit_b_16-c867db91.pth", 86567656, 17.564, 81.072, imagenet(256, 224), 224, VitConfig{16, 12, 12, 768}, true},
    {"vit_b_32", "vit_b_32-d86f8d99.pth", 88224232, 4.409, 75.912, imagenet(256, 224), 224, VitConfig{32, 12, 12, 768}, true},
    {"vit_l_16", "vit_l_16-852ce7e3.pth", 304326632, 61.555, 79.662, imagenet(242, 224), 224, VitConfig{16, 24, 16, 1024}, true},
    {"vit_l_32", "vit_l_32-c7638314.pth", 306535400, 15.378, 76.972, imagenet(256, 224), 224, VitConfig{32, 24, 16, 1024}, true},
    {"vit_h_14", "vit_h_14_swag-80465313.pth", 633470440, 1016.717, 88.552, imagenet_bicubic(518, 518), 518, VitConfig{14, 32, 16, 1280}, true},
});
// clang-format on

}  // namespace

std::span<const ModelInfo> all_models() { return kModels; }

}  // namespace quantc::frontend
