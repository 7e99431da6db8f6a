package io.sluice.explore.store;

import io.sluice.explore.actor.OwnerNode;
import io.sluice.explore.run.World;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * The consumer group: assigns each partition to an instance. A former owner is notified with a
 * delay, and a paused one much later.
 */
public final class Group {
  private static final long SESSION_US = 1_500_000;
  private static final long HEARD_AFTER_MAX_US = 400_000;
  private static final long HEARD_LATE_MAX_US = 6_000_000;

  private final World world;
  private final List<OwnerNode> members = new ArrayList<>();
  private final OwnerNode[] assigned;
  private final long[] generations;
  private int drawn;

  public Group(World world, int partitions) {
    this.world = world;
    this.assigned = new OwnerNode[partitions];
    this.generations = new long[partitions];
  }

  public boolean owns(OwnerNode member, int partition) {
    return assigned[partition] == member;
  }

  /** Counts rebalances of a partition. */
  public long generation(int partition) {
    return generations[partition];
  }

  /** The new member gets what nobody has, or else one of several partitions of another. */
  public void join(OwnerNode member) {
    members.add(member);
    List<Integer> free = partitionsOf(null);
    free.forEach(partition -> assign(partition, member));
    if (free.isEmpty()) {
      members.stream()
          .map(this::partitionsOf)
          .filter(several -> several.size() > 1)
          .findFirst()
          .ifPresent(several -> assign(several.get(1), member));
    }
  }

  private List<Integer> partitionsOf(OwnerNode member) {
    return IntStream.range(0, assigned.length)
        .filter(partition -> assigned[partition] == member)
        .boxed()
        .toList();
  }

  /** Called when a member crashes; the group notices when its session expires. */
  public void died(OwnerNode member) {
    members.remove(member);
    if (!partitionsOf(member).isEmpty()) {
      world.scheduler().after(SESSION_US, () -> replace(member));
    }
  }

  /** Called when a member sends no heartbeats for this long. */
  public void silent(OwnerNode member, long forUs) {
    if (forUs > SESSION_US) {
      world.scheduler().after(SESSION_US, () -> replace(member));
    }
  }

  public void move(SplittableRandom draws) {
    int partition = assigned.length == 1 ? 0 : draws.nextInt(assigned.length);
    List<OwnerNode> others =
        members.stream().filter(member -> member != assigned[partition]).toList();
    if (!others.isEmpty()) {
      assign(partition, others.get(draws.nextInt(others.size())));
    }
  }

  private void replace(OwnerNode gone) {
    partitionsOf(gone).forEach(partition -> replace(partition, gone));
  }

  private void replace(int partition, OwnerNode gone) {
    List<OwnerNode> others = members.stream().filter(member -> member != gone).toList();
    List<OwnerNode> awake = others.stream().filter(member -> !member.node().isPaused()).toList();
    if (!awake.isEmpty()) {
      assign(partition, awake.get(0));
    } else if (!others.isEmpty()) {
      assign(partition, others.get(0));
    } else if (gone.node().isDead()) {
      assigned[partition] = null;
    }
  }

  private void assign(int partition, OwnerNode member) {
    OwnerNode before = assigned[partition];
    assigned[partition] = member;
    generations[partition]++;
    world.say(() -> "*** partition " + partition + " is given to " + member.node());
    tell(member, HEARD_AFTER_MAX_US);
    if (before != null) {
      tell(before, world.scenario().heldUp() ? HEARD_LATE_MAX_US : HEARD_AFTER_MAX_US);
    }
  }

  private void tell(OwnerNode member, long maxUs) {
    SplittableRandom draws = world.chance().of("group", ++drawn);
    member.node().after(draws.nextLong(maxUs), member::synchronize);
  }
}
