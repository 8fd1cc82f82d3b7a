// One straight-line kernel a question: which loads and stores are requests of their own? Launched with one block
// of 64 threads each; Nsight Compute counts the requests (README.md beside this). Every kernel stores its result.
#include <cstdio>
#include <cuda_runtime.h>

#define PARAMETERS const float *__restrict__ in, float *out, float *other, int n
#define START int i = threadIdx.x

__global__ void twice_in_one_statement(PARAMETERS) { START; out[i] = in[i] * (in[i] + 1.0f); }
__global__ void after_a_store_to_it(PARAMETERS) { START; out[i] = in[i]; other[i] = out[i] + 1.0f; }
__global__ void after_a_store_beside_it(PARAMETERS) { START; float t = out[i]; out[i + 64] = 2.0f; other[i] = t + out[i]; }
__global__ void after_a_store_that_may_be_to_it(PARAMETERS) { START; float t = out[i]; other[i] = 1.0f; out[i] = t + out[i]; }
__global__ void in_an_arm_after_it(PARAMETERS) { START; float t = in[i]; if (i < n) t += in[i] * t; out[i] = t; }
__global__ void across_a_barrier_read_only(PARAMETERS) { START; float t = in[i]; __syncthreads(); out[i] = t + in[i]; }
__global__ void after_a_barrier(PARAMETERS) { START; float t = other[i]; __syncthreads(); out[i] = t + other[i]; }
__global__ void after_a_fence(PARAMETERS) { START; float t = other[i]; __threadfence(); out[i] = t + other[i]; }
__global__ void after_an_atomic(PARAMETERS) { START; float t = other[i]; atomicAdd(out + 200, 1.0f); out[i] = t + other[i]; }

__global__ void in_written_out_iterations(PARAMETERS)
{
    START;
    float t = 0.0f;
    for (int k = 0; k < 4; ++k)
        t = t * 1.5f + in[i];
    out[i] = t;
}

__global__ void members_of_a_vector(const float4 *__restrict__ in, float *out, float *other, int n)
{
    START;
    out[i] = in[i].x + in[i].y * in[i].z - in[i].w;
}

__global__ void two_members_of_a_vector(const float2 *__restrict__ in, float *out, float *other, int n)
{
    START;
    out[i] = in[i].x * 3.0f - in[i].y;
}

__global__ void one_member_of_a_vector(const float4 *__restrict__ in, float *out, float *other, int n)
{
    START;
    out[i] = in[i].z;
}

__global__ void members_stored(const float *__restrict__ in, float4 *out, float *other, int n)
{
    START;
    float t = in[i];
    out[i].x = t;
    out[i].y = t + 1.0f;
    out[i].z = t + 2.0f;
    out[i].w = t + 3.0f;
}

__global__ void neighbours_without_alignment(PARAMETERS) { START; out[i] = in[2 * i] + in[2 * i + 1]; }

__global__ void shared_neighbours(PARAMETERS)
{
    __shared__ float tile[128];
    START;
    tile[i] = in[i];
    tile[i + 64] = in[i + 64];
    __syncthreads();
    out[i] = tile[2 * i] + tile[2 * i + 1] * 3.0f;
}

__global__ void shared_neighbours_stored(PARAMETERS)
{
    __shared__ float tile[128];
    START;
    float t = in[i];
    tile[2 * i] = t;
    tile[2 * i + 1] = t * 2.0f;
    __syncthreads();
    out[i] = tile[(i * 5) % 128];
}

int main()
{
    float *in, *out, *other;
    cudaMalloc(&in, 4096);
    cudaMalloc(&out, 4096);
    cudaMalloc(&other, 4096);
    cudaMemset(in, 0, 4096);
    cudaMemset(out, 0, 4096);
    cudaMemset(other, 0, 4096);
#define RUN(kernel) kernel<<<1, 64>>>(in, out, other, 64)
#define RUN4(kernel) kernel<<<1, 64>>>((float4 *)in, out, other, 64)
    RUN(twice_in_one_statement);
    RUN(after_a_store_to_it);
    RUN(after_a_store_beside_it);
    RUN(after_a_store_that_may_be_to_it);
    RUN(in_an_arm_after_it);
    RUN(across_a_barrier_read_only);
    RUN(after_a_barrier);
    RUN(after_a_fence);
    RUN(after_an_atomic);
    RUN(in_written_out_iterations);
    RUN4(members_of_a_vector);
    two_members_of_a_vector<<<1, 64>>>((float2 *)in, out, other, 64);
    RUN4(one_member_of_a_vector);
    members_stored<<<1, 64>>>(in, (float4 *)out, other, 64);
    RUN(neighbours_without_alignment);
    RUN(shared_neighbours);
    RUN(shared_neighbours_stored);
    cudaError_t error = cudaDeviceSynchronize();
    printf("%s\n", cudaGetErrorString(error));
    return error != cudaSuccess;
}
