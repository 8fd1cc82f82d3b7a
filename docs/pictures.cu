// The kernels behind the pictures of models.md.
__global__ void loads(float *out, const float *in)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float near = in[i];
    float far = in[2 * i];
    out[i] = near + far;
}

__global__ void columns(float *out)
{
    __shared__ float plain[32][32];
    __shared__ float padded[32][33];
    int t = threadIdx.x;
    plain[t % 32][t / 32] = t;
    padded[t % 32][t / 32] = t;
    __syncthreads();
    out[blockIdx.x * blockDim.x + t] = plain[t / 32][t % 32] + padded[t / 32][t % 32];
}

int main()
{
    float *in, *out;
    cudaMalloc(&in, 1 << 28);
    cudaMalloc(&out, 1 << 27);
    loads<<<1 << 17, 256>>>(out, in);
    columns<<<1 << 15, 1024>>>(out);
    return cudaDeviceSynchronize();
}
