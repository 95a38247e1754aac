#include <cstdio>
#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include "frontend/zoo/model_table.h"
#include "image/preprocess.h"
#include "transform/passes.h"
#include "quantize/quantize.h"
#include "reference/executor.h"
#include "lower/lower.h"
#include "memory/plan.h"
#include "codegen/emit.h"
#include "execute/host.h"
using namespace quantc;
double sqnr(std::span<const float> r, std::span<const float> x){double s=0,n=0;for(size_t i=0;i<r.size();++i){s+=double(r[i])*r[i];double d=r[i]-x[i];n+=d*d;}return 10*std::log10(s/n);}
int main(int argc,char**argv){ try {
  const auto& info=frontend::find_model(argv[1]);
  auto sd=frontend::load_checkpoint(argv[2]);
  auto g=transform::canonicalize(frontend::load_model(info,sd));
  bool mma=atoi(argv[3]);
  std::vector<ir::Tensor> photos; for(int i=4;i<argc;++i) { auto p=info.preprocessing(); p.resize=256; photos.push_back(image::preprocess(image::decode_file(argv[i]),p)); }
  size_t k=0; quantize::QuantizeOptions qo; qo.target.mmalib=mma;
  auto q=quantize::quantize(g,[&]()->std::optional<ir::Tensor>{ if(k<photos.size()) return photos[k++]; return std::nullopt;},qo);
  auto prog=lower::lower(q.graph,{qo.target});
  auto plan=memory::plan_arena(prog);
  std::string dir=std::string("/tmp/e2e_")+argv[1]+(mma?"_mma":"");
  codegen::write_sources(prog,plan,dir);
  execute::build(dir);
  fmt::print("calls {} arena {} bound {} notes {}\n",prog.calls.size(),plan.arena_bytes,plan.lower_bound,q.notes.size());
  double mean=0,meanref=0; int n=0;
  for(auto&x:photos){ auto f=reference::execute(g,{x})[0]; auto r=reference::execute(q.graph,{x})[0];
    auto c=execute::run(dir,{x},{f.shape()});
    auto am=[](const ir::Tensor&t){auto v=t.values<float>();return std::max_element(v.begin(),v.end())-v.begin();};
    double s=sqnr(f.values<float>(),c.outputs[0].values<float>()), sr=sqnr(f.values<float>(),r.values<float>()), cr=sqnr(r.values<float>(),c.outputs[0].values<float>());
    fmt::print("{} float {} ref {} compiled {} floatSQNR {:.1f} ref {:.1f} c-vs-ref {:.1f} ms {:.1f}\n",argv[4+n],am(f),am(r),am(c.outputs[0]),s,sr,cr,c.run_ms); mean+=s; meanref+=sr; ++n;}
  fmt::print("mean {:.2f} ref {:.2f}\n",mean/n,meanref/n);
 } catch(const std::exception&e){fmt::print("ERR {}\n",e.what());return 1;} }
