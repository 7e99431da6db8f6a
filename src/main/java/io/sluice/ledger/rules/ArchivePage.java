package io.sluice.ledger.rules;

import java.util.List;

/**
 * Which of the next holds of a bucket are moved to the archive in one transaction: those of one
 * epoch, so that they are a range of the primary key.
 *
 * @param epoch of these holds
 * @param afterSeq behind which they begin
 * @param lastSeq of the last one
 * @param ended how many of them have ended, and are moved
 * @param running how many have not, and stay
 * @param complete whether no further hold of the bucket is to be moved
 */
public record ArchivePage(
    long epoch, long afterSeq, long lastSeq, int ended, int running, boolean complete) {

  /** A hold of a bucket. */
  public record Hold(long epoch, long seq, long saleNo, boolean ended) {}

  /**
   * @param holds the next ones, in the order of their places
   * @param afterEpoch the place behind which they were read; likewise the seq
   * @param limit how many were asked for
   * @param saleNo the last sale whose orders are moved. Sales of a SKU follow each other, and so do
   *     their places
   */
  public static ArchivePage of(
      List<Hold> holds, long afterEpoch, long afterSeq, int limit, long saleNo) {
    if (holds.isEmpty() || holds.get(0).saleNo() > saleNo) {
      return new ArchivePage(afterEpoch, afterSeq, afterSeq, 0, 0, true);
    }
    long epoch = holds.get(0).epoch();
    List<Hold> page =
        holds.stream().takeWhile(hold -> hold.epoch() == epoch && hold.saleNo() <= saleNo).toList();
    int ended = (int) page.stream().filter(Hold::ended).count();
    boolean readAll = holds.size() < limit && page.size() == holds.size();
    boolean meetsLaterSale = page.size() < holds.size() && holds.get(page.size()).saleNo() > saleNo;
    return new ArchivePage(
        epoch,
        epoch == afterEpoch ? afterSeq : -1,
        page.get(page.size() - 1).seq(),
        ended,
        page.size() - ended,
        readAll || meetsLaterSale);
  }
}
