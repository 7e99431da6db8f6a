-- Where buckets were before their SKU's next sale. Releases of before do not write it: a bucket that they move to another partition
-- is missing here, one that they move back is still here, and nothing else is wrong.
-- INVARIANT: each statement may run again after a kill.

-- A partition that the bucket has left. A row of one that is there again counts for nothing.
CREATE TABLE IF NOT EXISTS former_place (
  partition_id INT NOT NULL,
  sku_id BIGINT NOT NULL,
  bucket INT NOT NULL,
  PRIMARY KEY (partition_id, sku_id, bucket)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;
