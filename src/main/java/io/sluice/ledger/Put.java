package io.sluice.ledger;

import java.util.Optional;
import java.util.Set;

/**
 * How a PUT of a SKU or of a sale is meant, beside its values.
 *
 * @param leaves the fields that it leaves out: of what exists they keep their values, what is new
 *     has the defaults that stand in their places
 * @param tags what exists must have one of these tags; empty if it may have any
 * @param takesPast whether its times may have passed
 */
public record Put(Set<String> leaves, Set<String> tags, boolean takesPast) {
  /** Each field is given, whatever it replaces, and its times may have passed. */
  public static final Put WHOLE = new Put(Set.of(), Set.of(), true);

  /** In the place of a tag: any, if only it exists. */
  public static final String EXISTS = "*";

  /** How long ago the opening may be that a caller means by "now"; its clock may be late. */
  public static final long NOW_MS = 60_000;

  public Put {
    leaves = Set.copyOf(leaves);
    tags = Set.copyOf(tags);
  }

  /** What is wrong with a field of a PUT, as only what exists can tell. */
  public enum Fault {
    /** It is left out, and there is nothing that has it. */
    MISSING,
    /** It is another time than before, and has passed. */
    PASSED,
    /** It closes before it opens. */
    NOT_AFTER,
    /** The watermark is above the one that comes before it. */
    ABOVE_LOW,
    /** The SKUs have too many buckets together. */
    TOO_MANY_BUCKETS
  }

  /** Whether the PUT leaves out this field. */
  public boolean leaves(String field) {
    return leaves.contains(field);
  }

  /**
   * Whether it is meant for this.
   *
   * @param tag of what exists; empty if nothing does
   */
  public boolean isFor(Optional<String> tag) {
    return tags.isEmpty()
        || (tag.isPresent() && (tags.contains(EXISTS) || tags.contains(tag.get())));
  }
}
