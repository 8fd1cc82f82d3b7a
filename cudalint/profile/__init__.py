"""What a run measured: exports of Nsight Compute and Nsight Systems."""
