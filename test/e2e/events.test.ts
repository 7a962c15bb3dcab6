import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { Webhook } from "standardwebhooks";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { listenOnLoopback } from "../../infra/local/loopback-server.ts";
import { RunEvent } from "../../shared/contract/events.ts";
import { Run } from "../../shared/contract/run/run.ts";
import { WebhookDeliveryList, WebhookEndpointWithSecret } from "../../shared/contract/webhook/webhook.ts";
import { WebhookRunEvent } from "../../shared/contract/webhook/webhook-events.ts";
import { ask, control, createOrganization, keyOf, type Organization } from "../support/stack/stack-client.ts";
import { until } from "../support/stack/until.ts";

interface Published {
  readonly eventBusName: string;
  readonly source: string;
  readonly detailType: string;
  readonly detail: { readonly organization_id: string };
  readonly time: string;
  readonly functionName: string;
}

const secret = "a-value-that-nobody-may-see";

let organization: Organization;
let key: string;

beforeEach(async () => {
  organization = await createOrganization();
  key = keyOf(organization, "full");
});

async function published(): Promise<readonly Published[]> {
  const { items } = await control<{ items: readonly Published[] }>("/aws/events");
  return items.filter(({ detail }) => detail.organization_id === organization.organization_id);
}

async function told(id: string, count: number): Promise<readonly Published[]> {
  const ofIt = async () =>
    (await published()).filter(({ detail }) => JSON.stringify(detail).includes(`"${id}"`));
  await until(async () => (await ofIt()).length >= count);
  return await ofIt();
}

async function createRun(): Promise<Run> {
  const workflow = await ask("/v1/workflows", {
    key,
    body: { main_prompt: `Open ${secret}.`, executor: "worker" },
  });
  const body = {
    workflow_id: workflow.body.id,
    input_values: { customer: secret },
    sensitive_input_values: { pin: secret },
    session_alias: secret,
  };
  return Run.parse((await ask("/v1/runs", { key, body })).body);
}

const patch = (path: string, body: object) => ask(path, { method: "PATCH", key, body });

describe("events", () => {
  it("tell a run's steps on the deployment's bus, each once, without inputs, outputs or secrets", async () => {
    const run = await createRun();
    await patch(`/v1/runs/${run.id}`, { status: "cancelled", error: [secret], output_data: { a: secret } });
    await ask(`/v1/runs/${run.id}`, { method: "DELETE", key });
    const events = await told(run.id, 3);
    expect(events.map(({ detailType }) => detailType)).toEqual([
      "run.created",
      "run.cancelled",
      "run.deleted",
    ]);
    for (const { eventBusName, source, functionName } of events) {
      expect([eventBusName, source, functionName]).toEqual([
        "das-main",
        "desktop-automation-service",
        "projector",
      ]);
    }
    const details = events.map(({ detail }) => RunEvent.parse(detail));
    expect(details).toMatchObject([
      { status: "scheduling", previous_status: null, workflow_id: run.workflow_id, ended_at: null },
      { status: "cancelled", previous_status: "scheduling", ended_at: expect.any(String) },
      { status: "cancelled", previous_status: "cancelled" },
    ]);
    expect(new Set(details.map(({ event_id }) => event_id)).size).toBe(3);
    const revisions = details.map(({ revision }) => revision);
    expect(revisions).toEqual([...new Set(revisions)].sort((one, other) => one - other));
    expect(JSON.stringify(await published())).not.toContain(secret);
  });
});

describe("webhooks", () => {
  interface Received {
    readonly body: string;
    readonly headers: Record<string, string>;
  }

  async function listen() {
    const received: Received[] = [];
    const server = createServer(async (incoming, response) => {
      received.push({ body: await text(incoming), headers: incoming.headers as Record<string, string> });
      response.writeHead(received.length === 1 ? 503 : 204).end();
    });
    const { url, stop } = await listenOnLoopback(server, 0);
    onTestFinished(stop);
    return { received, url: `${url}/das` };
  }

  it("are signed, and sent again until they are taken: the same bytes, with secrets as aliases", async () => {
    const { received, url } = await listen();
    const made = await ask("/v1/webhook-endpoints", { key, body: { url, event_types: ["run.complete"] } });
    const { id, secret } = WebhookEndpointWithSecret.parse(made.body);
    const pin = `pin-${secret.slice(-12)}`;
    const workflow = await ask("/v1/workflows", {
      key,
      body: { main_prompt: "Open the shop.", executor: "worker", is_webhooks_enabled: true },
    });
    const run = await ask("/v1/runs", {
      key,
      body: { workflow_id: workflow.body.id, sensitive_input_values: { pin } },
    });
    await patch(`/v1/runs/${run.body.id}`, { status: "cancelled" });
    await until(() => received.length >= 2);
    const [first, second] = received;
    if (first === undefined || second === undefined) throw new Error("it was sent twice");
    expect(second.body).toBe(first.body);
    expect(second.headers["webhook-id"]).toBe(first.headers["webhook-id"]);
    const event = WebhookRunEvent.parse(new Webhook(secret).verify(second.body, second.headers));
    expect(event).toMatchObject({
      event_id: second.headers["webhook-id"],
      event_type: "run.complete",
      run: { id: run.body.id, status: "cancelled", sensitive_input_aliases: { pin: "pin" } },
    });
    expect(second.body).not.toContain(pin);

    const listed = async () => {
      const { body } = await ask(`/v1/webhook-endpoints/${id}/deliveries`, { key });
      return WebhookDeliveryList.parse(body).items;
    };
    await until(async () => (await listed()).every(({ status }) => status === "delivered"));
    const [delivery, ...others] = await listed();
    expect(others).toEqual([]);
    expect(delivery?.attempts.map(({ status_code }) => status_code)).toEqual([503, 204]);

    const redeliver = `/v1/webhook-endpoints/${id}/deliveries/${delivery?.id}/redeliver`;
    expect((await ask(redeliver, { key, body: undefined, method: "POST" })).status).toBe(200);
    await until(() => received.length >= 3);
    expect(received[2]?.body).toBe(first.body);
  });
});
