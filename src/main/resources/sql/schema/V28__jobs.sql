-- Jobs: one command on all orders of a sale or of a SKU.
-- INVARIANT: each statement may run again after a kill.

-- place: up to where the present pass has looked; empty at its begin. undone: orders of this pass that it has changed,
-- or whose outcome is not known. worker_until: another instance goes on from then on.
CREATE TABLE IF NOT EXISTS order_job (
  job_id VARCHAR(64) NOT NULL,
  action VARCHAR(16) NOT NULL,
  sale_id VARCHAR(64) NOT NULL,
  sku_id BIGINT NOT NULL,
  started_by VARCHAR(64) NOT NULL,
  started_at BIGINT NOT NULL,
  state VARCHAR(16) NOT NULL,
  changed BIGINT NOT NULL,
  refused BIGINT NOT NULL,
  undone BIGINT NOT NULL,
  place VARCHAR(100) NOT NULL,
  version BIGINT NOT NULL,
  worker_until BIGINT NOT NULL,
  PRIMARY KEY (job_id),
  KEY order_job_open (state, worker_until)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;
