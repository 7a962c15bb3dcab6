import { expect, it } from "vitest";
import { deliveryPayload } from "../../../shared/domain/webhook/delivery/delivery.ts";
import { firstAttempt } from "../../../shared/domain/webhook/delivery/queue-delivery.ts";
import { readDeliveryExecution } from "../../../shared/webhooks/read-delivery-job.ts";
import { aDelivery, aWebhookEndpoint } from "../../support/builders/webhooks.ts";

it("the execution of a delivery is read from the payload of either release, with its sender or without", () => {
  const job = firstAttempt(aDelivery(aWebhookEndpoint()));
  const payload = deliveryPayload(job);
  expect(readDeliveryExecution({ ...payload, sender: "sender" })).toEqual({ job, sender: "sender" });
  expect(readDeliveryExecution(payload)).toEqual({ job, sender: undefined });
});
