package io.sluice.admin;

import io.sluice.ledger.Instances;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;

/** Instances that a test names. */
final class FakeInstances implements Instances {
  final List<String> ids = new ArrayList<>(List.of("instance-1"));

  @Override
  public Future<Boolean> keep(String instanceId, InstanceSettings settings) {
    return Future.succeededFuture(ids.add(instanceId));
  }

  @Override
  public Future<Void> remove(String instanceId) {
    ids.remove(instanceId);
    return Future.succeededFuture();
  }

  @Override
  public Future<List<String>> running() {
    return Future.succeededFuture(List.copyOf(ids));
  }

  @Override
  public Future<InstanceSettings> longest() {
    return Future.succeededFuture(new InstanceSettings(0, 0));
  }
}
