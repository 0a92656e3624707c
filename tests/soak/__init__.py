"""Long runs of the whole service: normal play beside somebody hostile (`make soak`)."""
