package io.sluice.owner;

import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.IntFunction;

/** The owner verticles that this instance has deployed: at most one per partition. */
final class DeployedOwners {
  private record Deployed(PartitionOwnerVerticle verticle, Future<String> deployment) {}

  private final IntFunction<PartitionOwnerVerticle> make;
  private final Function<PartitionOwnerVerticle, Future<String>> deploy;
  private final Function<String, Future<Void>> undeploy;
  private final Map<Integer, Deployed> owners = new HashMap<>();

  /** Read by scrapes of the metrics. */
  private volatile int count;

  /**
   * @param deploy returns the deployment id that {@code undeploy} takes
   */
  DeployedOwners(
      IntFunction<PartitionOwnerVerticle> make,
      Function<PartitionOwnerVerticle, Future<String>> deploy,
      Function<String, Future<Void>> undeploy) {
    this.make = make;
    this.deploy = deploy;
    this.undeploy = undeploy;
  }

  /** How many there are; may be called from any thread. */
  int count() {
    return count;
  }

  Set<Integer> partitions() {
    return Set.copyOf(owners.keySet());
  }

  /** Whether each of these partitions has an owner here that has taken it over. */
  boolean haveTakenOver(Set<Integer> partitions) {
    return partitions.stream()
        .map(owners::get)
        .allMatch(owner -> owner != null && owner.verticle().hasTakenOver());
  }

  /** Idempotent. */
  void deploy(int partition) {
    if (!owners.containsKey(partition)) {
      PartitionOwnerVerticle verticle = make.apply(partition);
      owners.put(partition, new Deployed(verticle, deploy.apply(verticle)));
      count = owners.size();
    }
  }

  /** Completes when the owner, if there is one, has ended, with or without an error. */
  Future<Void> undeploy(int partition) {
    Deployed owner = owners.remove(partition);
    count = owners.size();
    return owner == null
        ? Future.succeededFuture()
        : owner.deployment().compose(undeploy).transform(gone -> Future.succeededFuture());
  }

  Future<Void> undeployAll() {
    return undeploy(partitions());
  }

  Future<Void> undeploy(Set<Integer> partitions) {
    List<Future<Void>> stopped = new ArrayList<>();
    partitions.forEach(partition -> stopped.add(undeploy(partition)));
    return Future.join(stopped).transform(ended -> Future.succeededFuture());
  }

  /** Calls the owner of this partition, if it is deployed here. */
  void tell(int partition, Consumer<PartitionOwnerVerticle> message) {
    Deployed owner = owners.get(partition);
    if (owner != null) {
      message.accept(owner.verticle());
    }
  }

  /** Whether this verticle is still the owner of its partition here, and has not been replaced. */
  boolean isCurrent(PartitionOwnerVerticle who) {
    Deployed owner = owners.get(who.partition());
    return owner != null && owner.verticle() == who;
  }
}
