package io.sluice.ledger;

import io.sluice.model.IfMatch;
import java.util.Set;

/**
 * How a PUT of a SKU or of a sale is meant, apart from its values.
 *
 * @param leaves the fields that it leaves out: a subject that exists keeps its values, a new one
 *     has the defaults that stand in their places
 * @param ifMatch what must exist
 * @param takesPast whether its times may have passed
 */
public record Put(Set<String> leaves, IfMatch ifMatch, boolean takesPast) {
  /** Each field is given, whatever it replaces, and its times may have passed. */
  public static final Put WHOLE = new Put(Set.of(), IfMatch.NOTHING, true);

  /** How long ago the opening may be that a caller means by "now"; its clock may be late. */
  public static final long NOW_MS = 60_000;

  public Put {
    leaves = Set.copyOf(leaves);
  }

  /** The fault of a field of a PUT, as only a look at the existing subject can tell. */
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
}
