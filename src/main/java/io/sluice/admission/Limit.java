package io.sluice.admission;

/** The limits that a call can exceed; the name is the policy's in the answer and the metric tag. */
public enum Limit {
  INSTANCE("instance", 1),
  SKU("sku", 1),
  BUYER("buyer", 60),
  ADDRESS("address", 60);

  private final String policy;
  private final int windowS;

  Limit(String policy, int windowS) {
    this.policy = policy;
    this.windowS = windowS;
  }

  /** Its name, e.g. {@code buyer}. */
  public String policy() {
    return policy;
  }

  /** The seconds that its quota is for. */
  public int windowS() {
    return windowS;
  }
}
