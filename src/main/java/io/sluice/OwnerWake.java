package io.sluice;

import io.sluice.owner.OwnerSupervisor;
import org.jspecify.annotations.Nullable;

/** Tells the owners of this instance, once there are any, that requests were left for owners. */
final class OwnerWake implements Runnable {
  private volatile @Nullable OwnerSupervisor owners;

  OwnerSupervisor of(OwnerSupervisor here) {
    owners = here;
    return here;
  }

  @Override
  public void run() {
    OwnerSupervisor here = owners;
    if (here != null) {
      here.asked();
    }
  }
}
