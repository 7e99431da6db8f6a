package io.sluice.admin.page;

import io.sluice.ledger.Instances;
import io.vertx.core.Future;
import java.util.List;

/**
 * Instances that a test names.
 *
 * @param ids of those that run
 */
public record RunningInstances(String... ids) implements Instances {
  @Override
  public Future<Boolean> keep(String instanceId, InstanceSettings settings) {
    return Future.failedFuture("Expected only to be read");
  }

  @Override
  public Future<Void> remove(String instanceId) {
    return Future.failedFuture("Expected only to be read");
  }

  @Override
  public Future<List<String>> running() {
    return Future.succeededFuture(List.of(ids));
  }

  @Override
  public Future<InstanceSettings> longest() {
    return Future.failedFuture("Expected only to be read");
  }
}
