// Three mistakes for the README: every second element, a missing barrier, a double in float code.
__global__ void smooth(float *out, const float *in)
{
    __shared__ float tile[256];
    int t = threadIdx.x;
    int i = blockIdx.x * 256 + t;
    tile[t] = in[2 * i];
    out[i] = 0.1 * (tile[t] + tile[255 - t]);
}

int main()
{
    float *in, *out;
    cudaMalloc(&in, 2 << 20);
    cudaMalloc(&out, 1 << 20);
    smooth<<<1024, 256>>>(out, in);
    cudaDeviceSynchronize();
}
