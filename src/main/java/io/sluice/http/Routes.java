package io.sluice.http;

import io.sluice.web.Contract;
import io.sluice.web.Endpoint;
import io.sluice.web.RequestPipeline;
import java.util.ArrayList;
import java.util.List;

/** All routes of the public port on one event loop. */
public record Routes(OrderRoutes orders, SkuRoutes skus, SaleRoutes sales) {

  /** All calls of the port. */
  List<Endpoint> endpoints(RequestPipeline pipeline) {
    List<Endpoint> endpoints = new ArrayList<>(orders.endpoints(pipeline));
    endpoints.add(skus.endpoint());
    endpoints.add(sales.endpoint());
    endpoints.add(Contract.PUBLIC.endpoint(skus.anybody()));
    return endpoints;
  }
}
