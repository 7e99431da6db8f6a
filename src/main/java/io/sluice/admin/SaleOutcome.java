package io.sluice.admin;

import io.sluice.ledger.SaleLedger.PutResult;
import io.sluice.model.Sale;
import io.sluice.web.problem.Problem;
import java.util.Optional;

/** The outcome of an operator's change. */
sealed interface SaleOutcome {

  /**
   * The change is recorded.
   *
   * @param created whether the sale is new
   * @param shown whether all SKUs of the sale have it and Redis shows it; of an end and an archive,
   *     whether it is done
   * @param put of a PUT: the outcomes for its SKUs, and which fields have changed
   */
  record Done(Sale sale, boolean created, boolean shown, Optional<PutResult.Done> put)
      implements SaleOutcome {

    /** 202 until Redis shows it, or it is done. */
    int status() {
      return shown ? created ? 201 : 200 : 202;
    }
  }

  /** The change is refused. */
  record No(Problem problem) implements SaleOutcome {}
}
