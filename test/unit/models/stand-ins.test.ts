import { describe, expect, it } from "vitest";
import type { ConversationTurn } from "../../../shared/domain/model/language-models.ts";
import { aRequest, click, failedWith, replied, start, task } from "../../support/models/ask.ts";
import { type ProviderKind, providerKinds } from "../../support/providers/start-provider.ts";

const resultOf = ({ callId, toolName }: { readonly callId: string; readonly toolName: string }) => ({
  callId,
  toolName,
  isError: false,
  text: "done",
  picture: undefined,
});

const bound: Readonly<Record<ProviderKind, RegExp>> = {
  anthropic: /sig_/,
  "anthropic with computer_20251124": /sig_/,
  "anthropic with functions": /sig_/,
  openai: /enc_/,
  google: /"thoughtSignature":"/,
  vertex: /"thoughtSignature":"/,
  "bedrock by key": /sig_/,
  "bedrock by IAM": /sig_/,
};

/** Without these checks the models' suite would prove little. */
describe.each(providerKinds)("the stand-in of %s", (kind) => {
  it("refuses a turn of the model that was changed", async () => {
    const all = await start(kind, click);
    const { turn, calls } = replied(await all.models.ask(aRequest(all.started)));
    const changed = JSON.parse(JSON.stringify(turn).replace(bound[kind], "$&x")) as typeof turn;
    expect(changed).not.toEqual(turn);
    const turns: ConversationTurn[] = [task, changed, { role: "results", results: calls.map(resultOf) }];
    expect(failedWith(await all.models.ask(aRequest(all.started, { turns }))).reason).toBe("rejected");
  });

  it("refuses a call's second result; one without any is not even sent", async () => {
    const all = await start(kind, click);
    const { turn, calls } = replied(await all.models.ask(aRequest(all.started)));
    const once = calls.map(resultOf);
    const ask = (results: typeof once) =>
      all.models.ask(aRequest(all.started, { turns: [task, turn, { role: "results", results }] }));
    expect(failedWith(await ask([])).error).toMatch(/cannot be made/);
    expect(all.started.server.requests).toHaveLength(1);
    expect(failedWith(await ask([...once, ...once])).reason).toBe("rejected");
    expect(all.started.server.refusals).toHaveLength(1);
  });
});

const judgingFields = providerKinds.filter((kind) => !kind.startsWith("bedrock"));

describe.each(judgingFields)("the stand-in of %s, given a setting that its provider has not", (kind) => {
  it("refuses it", async () => {
    const all = await start(kind, click);
    const request = aRequest(all.started);
    const choice = { ...request.choice, additionalParams: { temprature: 1 } };
    const reply = failedWith(await all.models.ask({ ...request, choice }));
    expect(reply).toMatchObject({ reason: "rejected", error: expect.stringContaining("temprature") });
  });
});
