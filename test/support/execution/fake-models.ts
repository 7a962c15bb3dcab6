import type { Action } from "../../../shared/domain/action/action.ts";
import type {
  ConversationTurn,
  LanguageModels,
  ModelCall,
  ModelPicture,
  ModelReply,
  ModelRequest,
} from "../../../shared/domain/model/language-models.ts";
import type {
  FoundKey,
  NoKey,
  ProviderKey,
  ProviderKeys,
} from "../../../shared/domain/model/provider-key.ts";
import { pngCodec } from "../../../shared/pictures/png-codec.ts";
import type { ProviderSlot } from "../../../shared/vocabulary/providers.ts";
import { decideByLooking } from "../providers/looking-model.ts";

/** Decides a model's reply to a request; `nth` is counted from 1. */
export type Decide = (request: ModelRequest, nth: number) => ModelReply | Promise<ModelReply>;

export class FakeModels implements LanguageModels {
  readonly requests: ModelRequest[] = [];
  readonly #decide: Decide;
  readonly #sizeMax: number;
  readonly #call: <Result>(name: string, work: () => Promise<Result>) => Promise<Result>;

  constructor(
    decide: Decide,
    {
      sizeMax = 1_280,
      call = async (_name, work) => await work(),
    }: {
      readonly sizeMax?: number;
      readonly call?: <Result>(name: string, work: () => Promise<Result>) => Promise<Result>;
    } = {},
  ) {
    this.#decide = decide;
    this.#sizeMax = sizeMax;
    this.#call = call;
  }

  pictureSizeMax(): number {
    return this.#sizeMax;
  }

  async ask(request: ModelRequest): Promise<ModelReply> {
    return await this.#call("model", async () => {
      this.requests.push(request);
      return await this.#decide(request, this.requests.length);
    });
  }
}

export const usage = { inputTokens: 100, outputTokens: 10, cachedTokens: 50 } as const;

let replies = 0;

export function replyWith(
  calls: readonly (Action | readonly Action[] | ModelCall["decision"])[],
  more: { readonly text?: string; readonly confirmation?: string } = {},
): ModelReply {
  const { text = "", confirmation = null } = more;
  const made = calls.map((call, at): ModelCall => {
    replies += 1;
    const isDecision = "kind" in call && typeof call.kind === "string";
    const decision = isDecision
      ? (call as ModelCall["decision"])
      : { kind: "actions" as const, actions: [call].flat() as readonly Action[] };
    const toolName = decision.kind === "actions" ? (decision.actions[0]?.type ?? "nothing") : decision.kind;
    return { callId: `call-${replies}-${at}`, toolName, decision };
  });
  const turn = {
    role: "model",
    provider: "anthropic",
    model: "a-model",
    content: { text, calls: made.length },
  } as const;
  return { kind: "replied", turn, text, calls: made, usage, confirmation };
}

export function failedWith(
  reason: Extract<ModelReply, { readonly kind: "failed" }>["reason"],
  retryAfterMs: number | null = null,
): ModelReply {
  return { kind: "failed", reason, error: `the provider said ${reason}`, retryAfterMs, usage: null };
}

export const byLooking: Decide = ({ turns }) => {
  const picture = pngCodec.decode(lastPicture(turns).png);
  const [first] = turns;
  const last = turns.at(-1);
  const task = first?.role === "user" ? textOf(first) : "";
  const results = last?.role === "results" ? last.results : [];
  const { name, args } = decideByLooking({ task, picture, results });
  return replyWith([{ type: name, ...args } as unknown as Action]);
};

function lastPicture(turns: readonly ConversationTurn[]): ModelPicture {
  const picture = turns.flatMap(picturesOf).at(-1);
  if (picture === undefined) throw new Error("a model was sent no picture");
  return picture;
}

export function picturesOf(turn: ConversationTurn): readonly ModelPicture[] {
  if (turn.role === "user") return turn.pictures;
  return turn.role === "results" ? turn.results.flatMap(({ picture }) => picture ?? []) : [];
}

function textOf({ parts }: Extract<ConversationTurn, { readonly role: "user" }>): string {
  return parts.filter((part) => typeof part === "string").join("");
}

export function wordsOf(turns: readonly ConversationTurn[]): string {
  return turns
    .map((turn) => {
      if (turn.role === "user") return textOf(turn);
      return turn.role === "results" ? turn.results.map(({ text }) => text).join("\n") : "";
    })
    .join("\n");
}

/** Everything that was sent, except the pictures' files. */
export function sentIn(requests: readonly ModelRequest[]): string {
  return JSON.stringify(requests, (_name, value) => (value instanceof Uint8Array ? "(a picture)" : value));
}

export class FakeKeys implements ProviderKeys {
  readonly reported: { readonly slot: ProviderSlot; readonly error: string }[] = [];
  readonly states = new Map<ProviderSlot, NoKey>();
  readonly #key: ProviderKey;

  constructor(key: ProviderKey = { authType: "api_key", apiKey: "a-key" }) {
    this.#key = key;
  }

  async find(_organizationId: string, slot: ProviderSlot): ReturnType<ProviderKeys["find"]> {
    return (
      this.states.get(slot) ?? {
        slot,
        isPlatform: false,
        activatedAt: "2026-01-15T12:00:00.000Z",
        key: this.#key,
      }
    );
  }

  async spend(..._of: Parameters<ProviderKeys["spend"]>): Promise<void> {}

  async reportInvalid(_run: unknown, { slot }: FoundKey, error: string): Promise<void> {
    this.reported.push({ slot, error });
    this.states.set(slot, "provider_key_invalid");
  }
}
