package io.sluice.admission;

/** The limits that a call can exceed; the name is the policy's in the answer and the metric tag. */
public enum Limit {
  BLACKLIST("blacklist"),
  ADDRESS("address"),
  INSTANCE("instance"),
  SKU("sku"),
  BUYER("buyer"),
  SIGNATURE("signature");

  private final String policy;

  Limit(String policy) {
    this.policy = policy;
  }

  /** Its name, e.g. {@code buyer}. */
  public String policy() {
    return policy;
  }
}
