import {
  ApiGatewayManagementApiServiceException,
  GetConnectionCommand,
  GoneException,
  LimitExceededException,
  PayloadTooLargeException,
  PostToConnectionCommand,
} from "@aws-sdk/client-apigatewaymanagementapi";
import { describe, expect, it } from "vitest";
import { ApiGatewaySocketGateway } from "../../../shared/tunnel/api-gateway-socket-gateway.ts";
import { FakeClock } from "../../support/fakes/fake-clock.ts";

const gone = new GoneException({ message: "gone", $metadata: {} });
const tooLarge = new PayloadTooLargeException({ message: "too large", $metadata: {} });
const throttled = new LimitExceededException({ message: "slow down", $metadata: {} });
const brokenOff = new Error("socket hang up");
const fault = withStatus(500);
const forbidden = withStatus(403);

function withStatus(httpStatusCode: number): Error {
  return new ApiGatewayManagementApiServiceException({
    name: "SomeException",
    message: "no",
    $fault: httpStatusCode < 500 ? "client" : "server",
    $metadata: { httpStatusCode },
  });
}

function gatewayFailing(...failures: readonly Error[]) {
  const clock = new FakeClock();
  const started = clock.now();
  const sent: unknown[] = [];
  const left = [...failures];
  const gateway = new ApiGatewaySocketGateway(async (command) => {
    sent.push(command);
    const failure = left.shift();
    if (failure) throw failure;
    return {};
  }, clock);
  return { gateway, clock, sent, elapsedMs: () => clock.now() - started };
}

describe("posting to a socket", () => {
  it("sends the text to that connection", async () => {
    const { gateway, sent } = gatewayFailing();
    expect(await gateway.post("c1=", "{}")).toEqual({ kind: "delivered" });
    const [command] = sent;
    expect(command).toBeInstanceOf(PostToConnectionCommand);
    expect(command).toMatchObject({ input: { ConnectionId: "c1=", Data: Buffer.from("{}") } });
  });

  it("says gone at once", async () => {
    const { gateway, sent } = gatewayFailing(gone);
    expect(await gateway.post("c1=", "{}")).toEqual({ kind: "gone" });
    expect(sent).toHaveLength(1);
  });

  it("says too_large at once, with the bytes", async () => {
    const { gateway, sent } = gatewayFailing(tooLarge);
    expect(await gateway.post("c1=", "ä")).toEqual({ kind: "too_large", bytes: 2 });
    expect(sent).toHaveLength(1);
  });

  it("tries again after 100 and 200 ms", async () => {
    const { gateway, sent, elapsedMs } = gatewayFailing(fault, throttled);
    expect(await gateway.post("c1=", "{}")).toEqual({ kind: "delivered" });
    expect([sent.length, elapsedMs()]).toEqual([3, 300]);
  });

  it.each([
    ["broke off", brokenOff],
    ["failed", fault],
  ])("leaves open whether it was delivered when the gateway %s three times", async (_what, error) => {
    const { gateway } = gatewayFailing(error, error, error);
    await expect(gateway.post("c1=", "{}")).rejects.toMatchObject({
      name: "DeliveryUncertain",
      isSocketGone: false,
    });
  });

  it("leaves it open as well when the socket is gone after an attempt that may have succeeded", async () => {
    const { gateway } = gatewayFailing(fault, gone);
    await expect(gateway.post("c1=", "{}")).rejects.toMatchObject({
      name: "DeliveryUncertain",
      isSocketGone: true,
    });
  });

  it("is gone for sure when the attempts before were throttled", async () => {
    const { gateway } = gatewayFailing(throttled, gone);
    expect(await gateway.post("c1=", "{}")).toEqual({ kind: "gone" });
  });

  it("says service_unavailable when throttled three times: it was not delivered", async () => {
    const { gateway } = gatewayFailing(throttled, throttled, throttled);
    await expect(gateway.post("c1=", "{}")).rejects.toMatchObject({
      name: "DomainError",
      code: "service_unavailable",
    });
  });

  it("throws a refusal as what it is: it was not delivered", async () => {
    const { gateway } = gatewayFailing(forbidden, forbidden, forbidden);
    await expect(gateway.post("c1=", "{}")).rejects.toBe(forbidden);
  });
});

describe("asking for a socket", () => {
  it("says whether the gateway has it", async () => {
    const { gateway, sent } = gatewayFailing();
    expect(await gateway.exists("c1=")).toBe(true);
    expect(sent).toEqual([expect.objectContaining({ input: { ConnectionId: "c1=" } })]);
    expect(sent[0]).toBeInstanceOf(GetConnectionCommand);
    expect(await gatewayFailing(gone).gateway.exists("c1=")).toBe(false);
  });

  it.each([
    ["away", fault, { code: "service_unavailable", cause: fault }],
    ["forbidden", forbidden, forbidden],
  ])(
    "takes none for gone while the gateway is %s: it tries again, then throws",
    async (_what, error, thrown) => {
      const { gateway, sent } = gatewayFailing(error, error, error);
      await expect(gateway.exists("c1=")).rejects.toMatchObject(thrown);
      expect(sent).toHaveLength(3);
      expect(await gatewayFailing(error, throttled, gone).gateway.exists("c1=")).toBe(false);
    },
  );
});

describe("closing a socket", () => {
  it("takes one that is gone for closed", async () => {
    const { gateway, sent } = gatewayFailing(gone);
    await expect(gateway.disconnect("c1=")).resolves.toBeUndefined();
    expect(sent).toHaveLength(1);
  });

  it("is done once a second for each, however many of its frames ask for it", async () => {
    const { gateway, clock, sent } = gatewayFailing();
    for (let frame = 0; frame < 5; frame += 1) await gateway.disconnect("c1=");
    expect(sent).toHaveLength(1);
    await gateway.disconnect("c2=");
    expect(sent).toHaveLength(2);
    clock.advance(1_000);
    await gateway.disconnect("c1=");
    expect(sent).toHaveLength(3);
  });

  it("is done again at once when it failed", async () => {
    const { gateway, sent } = gatewayFailing(fault, fault, fault);
    await expect(gateway.disconnect("c1=")).rejects.toMatchObject({ code: "service_unavailable" });
    await gateway.disconnect("c1=");
    expect(sent).toHaveLength(4);
  });

  it("tries again, and throws after the third time", async () => {
    const { gateway, sent } = gatewayFailing(fault, fault, fault);
    await expect(gateway.disconnect("c1=")).rejects.toMatchObject({
      code: "service_unavailable",
      cause: fault,
    });
    expect(sent).toHaveLength(3);
  });
});
