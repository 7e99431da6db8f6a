-- What all scripts here share: one line at the end with accepts and refusals counted apart.
-- wrk counts every status of 400 or more as refused; to see which, look at sluice_refusals_total on /metrics.

function done(summary, latency, requests)
  local errors = summary.errors
  io.write(string.format("heard accepted=%d refused=%d failed=%d us=%d p50_us=%d p99_us=%d max_us=%d\n",
    summary.requests - errors.status, errors.status, errors.connect + errors.read + errors.write + errors.timeout,
    summary.duration, latency:percentile(50), latency:percentile(99), latency.max))
end
