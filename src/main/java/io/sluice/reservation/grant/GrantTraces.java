package io.sluice.reservation.grant;

import io.sluice.async.LoopContext;
import io.sluice.model.OrderToken;
import io.sluice.model.Placement.PlacedBucket;
import io.sluice.stock.BucketCode;
import io.sluice.stock.CartOutcome;
import io.sluice.stock.CartReply;
import io.sluice.stock.GrantOutcome;
import io.sluice.stock.ReserveReply;
import io.sluice.tracing.BatchTrace;
import io.sluice.tracing.BatchTrace.BatchStep;
import io.sluice.tracing.Span.Attributes;
import io.sluice.tracing.TraceContext;
import io.sluice.tracing.Traces;
import io.vertx.core.AsyncResult;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/** Records the calls to Redis with requests that are traced, and those that fail. */
final class GrantTraces {
  private final Traces traces;
  private final LoopContext loop;

  GrantTraces(Traces traces, LoopContext loop) {
    this.traces = traces;
    this.loop = loop;
  }

  /** Records a call to Redis that has ended. Requests that were refused are no part of it. */
  void reserved(
      PlacedBucket bucket, GrantBatch<GrantRequest> batch, AsyncResult<ReserveReply> reply) {
    if (traces.isOn()) {
      Map<String, Object> place =
          Map.of(
              Attributes.PARTITION,
              (long) bucket.partition(),
              Attributes.BUCKET,
              bucket.id().toString());
      record(batch, place, reply, request -> isRefused(reply.result(), request));
    }
  }

  /** The same of requests for several SKUs, whose buckets are in this partition. */
  void reserved(int partition, GrantBatch<CartGrantRequest> batch, AsyncResult<CartReply> reply) {
    if (traces.isOn()) {
      Map<String, Object> place = Map.of(Attributes.PARTITION, (long) partition);
      record(batch, place, reply, request -> isRefused(reply.result(), request));
    }
  }

  private void record(
      GrantBatch<? extends OpenRequest> batch,
      Map<String, Object> place,
      AsyncResult<?> reply,
      IntPredicate isRefused) {
    List<? extends OpenRequest> requests = batch.requests();
    BatchTrace trace = null;
    for (int i = 0; i < requests.size(); i++) {
      TraceContext parent = requests.get(i).trace();
      if (parent != null && !isRefused.test(i)) {
        trace =
            trace == null ? new BatchTrace(traces, BatchStep.RESERVE, batch.startNanos()) : trace;
        TraceContext ignored = trace.add(parent, requests.get(i).token().value());
      }
    }
    if (trace != null) {
      trace.end(
          loop.now(), requests.size(), place, reply.failed() ? reply.cause().toString() : null);
    } else if (reply.failed()) {
      BatchTrace.failed(
          traces,
          BatchStep.RESERVE,
          batch.startNanos(),
          loop.now(),
          requests.stream().map(request -> request.token().value()).toList(),
          requests.size(),
          place,
          reply.cause().toString());
    }
  }

  /** The first spans of those requests that are traced, by their orders. */
  Map<OrderToken, TraceContext> traced(List<UnackedGrant> unacked) {
    if (!traces.isOn()) {
      return Map.of();
    }
    Map<OrderToken, TraceContext> traced = new HashMap<>();
    for (UnackedGrant each : unacked) {
      TraceContext trace = each.request().trace();
      if (trace != null) {
        traced.put(each.grant().token(), trace);
      }
    }
    return traced;
  }

  private static boolean isRefused(@Nullable ReserveReply reply, int request) {
    return reply != null
        && (reply.code() != BucketCode.OK
            || request >= reply.outcomes().size()
            || reply.outcomes().get(request) instanceof GrantOutcome.Refused);
  }

  private static boolean isRefused(@Nullable CartReply reply, int request) {
    if (reply == null) {
      return false;
    }
    CartOutcome outcome = request < reply.outcomes().size() ? reply.outcomes().get(request) : null;
    return !(outcome instanceof CartOutcome.Granted || outcome instanceof CartOutcome.Already);
  }
}
