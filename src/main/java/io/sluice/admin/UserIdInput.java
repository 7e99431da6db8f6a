package io.sluice.admin;

import io.sluice.model.Limits;
import io.sluice.web.Exchange;
import io.sluice.web.problem.BadInputException;

/** The id of a buyer in a call. Throws {@link BadInputException} if it is none. */
final class UserIdInput {
  private UserIdInput() {}

  static String ofPath(Exchange exchange) {
    return checked(exchange.pathParam("user_id"));
  }

  static String checked(String userId) {
    if (!Limits.isUserId(userId)) {
      throw new BadInputException(
          "user_id",
          "Expected 1 to " + Limits.USER_ID_MAX + " visible ASCII characters, but got another");
    }
    return userId;
  }
}
