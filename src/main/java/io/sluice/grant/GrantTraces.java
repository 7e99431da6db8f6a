package io.sluice.grant;

import io.sluice.async.LoopContext;
import io.sluice.model.Grant;
import io.sluice.model.OrderToken;
import io.sluice.stock.GrantOutcome;
import io.sluice.stock.ReserveReply;
import io.sluice.tracing.BatchTrace;
import io.sluice.tracing.BatchTrace.BatchStep;
import io.sluice.tracing.Span.Attributes;
import io.sluice.tracing.TraceContext;
import io.sluice.tracing.Traces;
import io.vertx.core.AsyncResult;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Records the steps with requests that are traced, and those that fail. */
record GrantTraces(Traces traces, LoopContext loop) {

  /** Records a call to Redis that has ended. Requests that were refused are no part of it. */
  void reserved(GrantRequest.Batch batch, AsyncResult<ReserveReply> reply) {
    if (!traces.isOn()) {
      return;
    }
    Map<String, Object> place = new HashMap<>();
    place.put(Attributes.PARTITION, (long) batch.lead().partition());
    if (batch.isOfBucket()) {
      place.put(Attributes.BUCKET, batch.lead().id().toString());
    }
    List<GrantRequest> requests = batch.requests();
    List<String> tokens = requests.stream().map(request -> request.token().value()).toList();
    BatchTrace step = BatchTrace.begin(traces, BatchStep.RESERVE, batch.startNanos());
    for (int i = 0; i < requests.size(); i++) {
      if (!isRefused(reply.result(), i)) {
        step.add(requests.get(i).trace(), tokens.get(i));
      }
    }
    step.end(loop.now(), tokens.size(), tokens, place, BatchTrace.errorOf(reply));
  }

  private static boolean isRefused(@Nullable ReserveReply reply, int request) {
    if (reply == null) {
      return false;
    }
    GrantOutcome outcome = request < reply.outcomes().size() ? reply.outcomes().get(request) : null;
    return !(outcome instanceof GrantOutcome.Granted || outcome instanceof GrantOutcome.Already);
  }

  /** The first spans of those requests that are traced, by their orders. */
  Map<OrderToken, TraceContext> traced(List<GrantRequest.Unacked> unacked) {
    if (!traces.isOn()) {
      return Map.of();
    }
    Map<OrderToken, TraceContext> traced = new HashMap<>();
    for (GrantRequest.Unacked each : unacked) {
      TraceContext trace = each.request().trace();
      if (trace != null) {
        traced.put(each.grant().token(), trace);
      }
    }
    return traced;
  }

  /** Begins a step that makes grants durable. */
  BatchTrace begin(BatchStep step) {
    return BatchTrace.begin(traces, step, loop.now());
  }

  /** Ends such a step of these grants. */
  void end(BatchTrace step, int partition, Collection<Grant> grants, @Nullable String error) {
    if (traces.isOn()) {
      List<String> tokens = grants.stream().map(grant -> grant.token().value()).toList();
      step.end(loop.now(), tokens.size(), tokens, Attributes.ofPartition(partition), error);
    }
  }
}
