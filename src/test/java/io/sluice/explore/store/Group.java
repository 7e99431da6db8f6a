package io.sluice.explore.store;

import io.sluice.explore.actor.OwnerNode;
import io.sluice.explore.run.World;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * The consumer group: assigns the partition to an instance. A former owner is notified with a
 * delay, and a paused one much later.
 */
public final class Group {
  private static final long SESSION_US = 1_500_000;
  private static final long HEARD_AFTER_MAX_US = 400_000;

  private final World world;
  private final List<OwnerNode> members = new ArrayList<>();
  private OwnerNode assigned;
  private long generation;
  private int drawn;

  public Group(World world) {
    this.world = world;
  }

  public boolean owns(OwnerNode member) {
    return assigned == member;
  }

  /** Counts rebalances. */
  public long generation() {
    return generation;
  }

  public void join(OwnerNode member) {
    members.add(member);
    if (assigned == null) {
      assign(member);
    }
  }

  /** Called when a member crashes; the group notices when its session expires. */
  public void died(OwnerNode member) {
    members.remove(member);
    if (assigned == member) {
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
    List<OwnerNode> others = members.stream().filter(member -> member != assigned).toList();
    if (!others.isEmpty()) {
      assign(others.get(draws.nextInt(others.size())));
    }
  }

  private void replace(OwnerNode gone) {
    if (assigned != gone) {
      return;
    }
    List<OwnerNode> others = members.stream().filter(member -> member != gone).toList();
    List<OwnerNode> awake = others.stream().filter(member -> !member.node().isPaused()).toList();
    if (!awake.isEmpty()) {
      assign(awake.get(0));
    } else if (!others.isEmpty()) {
      assign(others.get(0));
    } else if (gone.node().isDead()) {
      assigned = null;
    }
  }

  private void assign(OwnerNode member) {
    OwnerNode before = assigned;
    assigned = member;
    generation++;
    world.say(() -> "*** partition is given to " + member.node());
    tell(member);
    if (before != null) {
      tell(before);
    }
  }

  private void tell(OwnerNode member) {
    SplittableRandom draws = world.chance().of("group", ++drawn);
    member.node().after(draws.nextLong(HEARD_AFTER_MAX_US), member::synchronize);
  }
}
