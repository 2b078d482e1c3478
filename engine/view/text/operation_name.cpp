#include "view/text/operation_name.h"

namespace bscope {

const char* operationName(Op op) {
    switch (op) {
        case Op::Forward:
            return "forward";
        case Op::Backward:
            return "backward";
        case Op::BackwardInput:
            return "input gradient";
        case Op::BackwardWeight:
            return "weight gradient";
        case Op::Recompute:
            return "recompute";
        case Op::ReduceGradients:
            return "gradients added";
        case Op::GatherWeights:
            return "weights gathered";
        case Op::OptimizerStep:
            return "optimizer step";
        case Op::SendForward:
            return "activation sent";
        case Op::SendBackward:
            return "gradient sent";
        case Op::RecvForward:
            return "activation received";
        case Op::RecvBackward:
            return "gradient received";
    }
    return "";
}

}  // namespace bscope
