package io.sluice.sale.neighbour;

import io.sluice.testkit.site.Release;

/** One of two neighbouring releases. */
enum Side {
  KEPT {
    @Override
    Release release() {
      return Release.kept();
    }

    @Override
    Side other() {
      return PRESENT;
    }
  },

  PRESENT {
    @Override
    Release release() {
      return Release.present();
    }

    @Override
    Side other() {
      return KEPT;
    }
  };

  abstract Release release();

  abstract Side other();
}
