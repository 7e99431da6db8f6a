package io.sluice.owner;

/** How the delivery of a partition's records is held back. */
public interface LogTap {
  void pause();

  void resume();

  /** When booking rests. */
  default Courtesy courtesy() {
    return Courtesy.NONE;
  }
}
