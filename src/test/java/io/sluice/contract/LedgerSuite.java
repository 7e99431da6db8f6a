package io.sluice.contract;

import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.extension.support.TypeBasedParameterResolver;

/**
 * Everything that a ledger promises. A test class per implementation extends it and makes the
 * ledger. Reports name the nested classes after this one; a single method of them on one ledger
 * runs with {@code -Dtest='InMemoryLedgerTest,LedgerSuite*#shouldBookWhenGranted'}.
 */
public abstract class LedgerSuite {
  /** Each contract takes its ledger from here. */
  @RegisterExtension
  final ParameterResolver ledger =
      new TypeBasedParameterResolver<LedgerUnderTest>() {
        @Override
        public LedgerUnderTest resolveParameter(ParameterContext parameter, ExtensionContext test) {
          return underTest();
        }
      };

  /** May be the same for all tests, which keep apart by their SKUs. */
  protected abstract LedgerUnderTest underTest();

  @Nested
  class Orders extends LedgerContract {}

  @Nested
  class Gate extends GateContract {}

  @Nested
  class Rejects extends RejectContract {}

  @Nested
  class Notes extends OrderNotesContract {}

  @Nested
  class Withdrawn extends WithdrawnContract {}

  @Nested
  class Restored extends RestoredContract {}

  @Nested
  class Comparing extends CompareContract {}

  @Nested
  class PastLogBooking extends PastLogBookingContract {}

  @Nested
  class DirectSales extends DirectSaleContract {}

  @Nested
  class LifeOfDirectOrders extends DirectLifeContract {}

  @Nested
  class CartsOfDirectSkus extends DirectCartContract {}

  @Nested
  class DirectDuties extends DirectDutyContract {}

  @Nested
  class Fences extends FenceContract {}

  @Nested
  class ForeignBuckets extends ForeignBucketContract {}

  @Nested
  class Ownership extends OwnershipContract {}

  @Nested
  class Progress extends ProgressContract {}

  @Nested
  class Audits extends AuditContract {}

  @Nested
  class Archive extends ArchiveContract {}

  @Nested
  class Forgetting extends ForgetContract {}

  @Nested
  class Skus extends SkuLedgerContract {}

  @Nested
  class Sales extends SaleLedgerContract {}

  @Nested
  class SameSales extends SameSaleContract {}

  @Nested
  class SaleStates extends SaleStateContract {}

  @Nested
  class History extends SaleHistoryContract {}

  @Nested
  class Counts extends SaleCountsContract {}

  @Nested
  class Jobs extends JobContract {}

  @Nested
  class SaleEnds extends SaleEndContract {}

  @Nested
  class Ends extends EndContract {}

  @Nested
  class Watermarks extends WatermarkContract {}

  @Nested
  class Restocks extends LedgerRestockContract {}

  @Nested
  class Totals extends TotalContract {}

  @Nested
  class Moving extends MoveContract {}

  @Nested
  class Gathered extends GatherContract {}

  @Nested
  class Withdrawing extends WithdrawContract {}

  @Nested
  class Carts extends CartLedgerContract {}

  @Nested
  class CartsPastLog extends CartPastLogContract {}

  @Nested
  class RefundsOfCarts extends CartRefundContract {}

  @Nested
  class HistoryOfCarts extends CartHistoryContract {}

  @Nested
  class LifeOfCarts extends CartLifeContract {}

  @Nested
  class CartsOfLeftSales extends LeftCartContract {}

  @Nested
  class Again extends AgainContract {}

  @Nested
  class Deletions extends DeleteContract {}

  @Nested
  class EarlierSales extends EarlierSaleContract {}

  @Nested
  class LeftSales extends LeftSaleContract {}

  @Nested
  class ArchivesOfLeftSales extends LeftSaleArchiveContract {}

  @Nested
  class OrdersInPages extends OrderPagesContract {}
}
