// Three mistakes for the README: every eighth element, a missing barrier, a power in double.
__global__ void smooth(float *out, const float *in)
{
    __shared__ float tile[256];
    int t = threadIdx.x;
    int i = blockIdx.x * 256 + t;
    tile[t] = in[8 * i];
    out[i] = pow(tile[t] + tile[255 - t], 2.2);
}

int main()
{
    float *in, *out;
    cudaMalloc(&in, 8 << 26);
    cudaMalloc(&out, 1 << 26);
    smooth<<<65536, 256>>>(out, in);
    cudaDeviceSynchronize();
}
