package io.sluice.explore.actor;

import io.sluice.explore.run.World;
import io.sluice.explore.store.Group;
import io.sluice.ledger.Fence;
import io.sluice.model.Order;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.SplittableRandom;

/**
 * The running instances; the API and the owner of each run as separate nodes with one number, and a
 * node that crashed is restarted.
 */
public final class Instances {
  private static final int APIS = 2;
  private static final int OWNERS = 2;
  private static final long RESTART_MAX_US = 3_000_000;

  private final World world;
  private final Group group;
  private final List<ApiNode> apis = new ArrayList<>();
  private final List<OwnerNode> owners = new ArrayList<>();

  /** Only stores the world, as the group does: it is still under construction. */
  public Instances(World world, int partitions) {
    this.world = world;
    this.group = new Group(world, partitions);
  }

  public void start() {
    for (int i = 1; i <= APIS; i++) {
      startApi("api-" + i);
    }
    for (int i = 1; i <= OWNERS; i++) {
      startOwner("owner-" + i);
    }
  }

  public Group group() {
    return group;
  }

  private Node node(String name) {
    return new Node(name, world.scheduler(), world.chance());
  }

  private void startApi(String name) {
    apis.add(new ApiNode(world, node(name)));
  }

  private void startOwner(String name) {
    OwnerNode owner = new OwnerNode(world, node(name));
    owners.add(owner);
    owner.start();
  }

  /** An instance for a request; it may be paused or about to crash. */
  ApiNode anyApi(SplittableRandom draws) {
    return apis.isEmpty() ? null : apis.get(draws.nextInt(apis.size()));
  }

  public void published() {
    apis.forEach(ApiNode::published);
  }

  /** The API of the same instance learns at once what its owner has committed. */
  void committed(Node owner, Fence fence, Collection<Order> orders) {
    apis.stream()
        .filter(api -> numberOf(api.node()) == numberOf(owner))
        .forEach(api -> api.committed(fence, orders));
  }

  private static char numberOf(Node node) {
    return node.name().charAt(node.name().indexOf('-') + 1);
  }

  public void paused(Node node, long forUs) {
    for (OwnerNode owner : owners) {
      if (owner.node() == node) {
        group.silent(owner, forUs);
      }
    }
  }

  public void crashed(Node node) {
    boolean wasApi = apis.removeIf(api -> api.node() == node);
    List<OwnerNode> dead = owners.stream().filter(owner -> owner.node() == node).toList();
    owners.removeAll(dead);
    dead.forEach(group::died);
    if (!wasApi && dead.isEmpty()) {
      return;
    }
    String name = node.name() + "'";
    long afterUs = world.chance().of(name, "restart", 0).nextLong(RESTART_MAX_US);
    world
        .scheduler()
        .after(
            afterUs,
            () -> {
              world.say(() -> "*** " + name + " starts");
              if (wasApi) {
                startApi(name);
              } else {
                startOwner(name);
              }
            });
  }

  /** Replaces all instances at once. */
  public void renew() {
    List<Node> old = new ArrayList<>();
    apis.forEach(api -> old.add(api.node()));
    owners.forEach(owner -> old.add(owner.node()));
    old.forEach(world::crash);
  }
}
