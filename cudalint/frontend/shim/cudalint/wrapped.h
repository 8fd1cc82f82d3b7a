// The namespace that a program asks for around those of Thrust and CUB.
#pragma once
#pragma clang system_header
namespace thrust {}
namespace cub {}
#if defined(THRUST_CUB_WRAPPED_NAMESPACE) && !defined(THRUST_WRAPPED_NAMESPACE)
#define THRUST_WRAPPED_NAMESPACE THRUST_CUB_WRAPPED_NAMESPACE
#endif
#if defined(THRUST_CUB_WRAPPED_NAMESPACE) && !defined(CUB_WRAPPED_NAMESPACE)
#define CUB_WRAPPED_NAMESPACE THRUST_CUB_WRAPPED_NAMESPACE
#endif
#ifdef THRUST_WRAPPED_NAMESPACE
namespace THRUST_WRAPPED_NAMESPACE { namespace thrust { using namespace ::thrust; } }
#endif
#ifdef CUB_WRAPPED_NAMESPACE
namespace CUB_WRAPPED_NAMESPACE { namespace cub { using namespace ::cub; } }
#endif
