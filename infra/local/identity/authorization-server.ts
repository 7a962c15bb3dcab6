import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { type Context, Hono } from "hono";
import * as z from "zod";
import type { MintRequest } from "./mint-token.ts";
import { signInPage } from "./sign-in-page.ts";

type Person = {
  readonly subject: string;
  readonly organizationId: string;
};

export type AuthorizationServerOptions = {
  readonly mint: (request: MintRequest) => Promise<string>;
  readonly now: () => number;
};

export type Admission = {
  /** Signs in once, as the `login_hint` of a request to authorize; whoever has it needs no password. */
  readonly loginHint: string;
  readonly password: string;
};

export type AuthorizationServer = {
  readonly routes: Hono;
  /** Lets the one user sign in to the page at that address, and at no other. */
  readonly admit: (person: Person, redirectUri: string) => Admission;
};

export const consoleClientId = "das-console";

/** After it the page renews its token. */
const tokenSeconds = 3_600;
const codeMs = 60_000;

const AuthorizeRequest = z.object({
  response_type: z.literal("code"),
  client_id: z.literal(consoleClientId),
  redirect_uri: z.string(),
  state: z.string().min(1).max(1_000),
  code_challenge: z.string().length(43),
  code_challenge_method: z.literal("S256"),
});
type AuthorizeRequest = z.output<typeof AuthorizeRequest>;

const TokenRequest = z.discriminatedUnion("grant_type", [
  z.object({
    grant_type: z.literal("authorization_code"),
    client_id: z.literal(consoleClientId),
    redirect_uri: z.string(),
    code: z.string(),
    code_verifier: z.string(),
  }),
  z.object({
    grant_type: z.literal("refresh_token"),
    client_id: z.literal(consoleClientId),
    refresh_token: z.string(),
  }),
]);

function secret(): string {
  return randomBytes(24).toString("base64url");
}

function isSame(given: string | undefined, wanted: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return given !== undefined && timingSafeEqual(digest(given), digest(wanted));
}

/** The code flow with PKCE (RFC 6749, RFC 7636) for one user and one public client, whose codes and tokens are used once. */
export function createAuthorizationServer({ mint, now }: AuthorizationServerOptions): AuthorizationServer {
  let admitted: { readonly person: Person; readonly redirectUri: string } | undefined;
  let loginHint: string | undefined;
  const password = secret();
  const codes = new Map<string, { readonly challenge: string; readonly endMs: number }>();
  const refreshTokens = new Set<string>();

  /** @returns undefined for a request that must not be answered by leading the browser anywhere. */
  const readRequest = (given: unknown): AuthorizeRequest | undefined => {
    const parsed = AuthorizeRequest.safeParse(given);
    return parsed.success && parsed.data.redirect_uri === admitted?.redirectUri ? parsed.data : undefined;
  };
  const sendCode = (context: Context, { redirect_uri, state, code_challenge }: AuthorizeRequest) => {
    const code = secret();
    codes.set(code, { challenge: code_challenge, endMs: now() + codeMs });
    return context.redirect(`${redirect_uri}?${new URLSearchParams({ code, state })}`, 302);
  };
  const showPage = async (context: Context, parameters: AuthorizeRequest, problem?: string) => {
    const consoleOrigin = new URL(parameters.redirect_uri).origin;
    // A form's policy holds for where its answer leads, too.
    context.header(
      "Content-Security-Policy",
      `default-src 'none'; form-action 'self' ${consoleOrigin}; frame-ancestors 'none'; base-uri 'none'; img-src data:`,
    );
    const page = await signInPage({ parameters, ...(problem === undefined ? {} : { problem }) });
    return context.html(page, problem === undefined ? 200 : 401);
  };
  const refused = (context: Context) =>
    context.text("this is no request of the console of this stack; begin at its page", 400);

  const routes = new Hono();
  routes.use(async (context, next) => {
    context.header("Cache-Control", "no-store");
    context.header("Referrer-Policy", "no-referrer");
    await next();
  });
  routes.get("/authorize", async (context) => {
    const request = readRequest(context.req.query());
    if (request === undefined) return refused(context);
    const isHinted = loginHint !== undefined && isSame(context.req.query("login_hint"), loginHint);
    if (!isHinted) return await showPage(context, request);
    loginHint = undefined;
    return sendCode(context, request);
  });
  routes.post("/authorize", async (context) => {
    const form = await context.req.parseBody();
    const request = readRequest(form);
    if (request === undefined) return refused(context);
    if (isSame(String(form.password), password)) return sendCode(context, request);
    return await showPage(context, request, "This is not the password.");
  });

  routes.use("/token", async (context, next) => {
    if (admitted !== undefined) {
      context.header("Access-Control-Allow-Origin", new URL(admitted.redirectUri).origin);
      context.header("Vary", "Origin");
    }
    await next();
  });
  routes.options("/token", (context) => context.body(null, 204));
  routes.post("/token", async (context) => {
    const parsed = TokenRequest.safeParse(await context.req.parseBody());
    if (!parsed.success) return context.json({ error: "invalid_request" }, 400);
    if (admitted === undefined || !isGranted(parsed.data))
      return context.json({ error: "invalid_grant" }, 400);
    const token = await mint({ ...admitted.person, lifetimeSeconds: tokenSeconds });
    const refreshToken = secret();
    refreshTokens.add(refreshToken);
    return context.json({
      access_token: token,
      token_type: "Bearer",
      expires_in: tokenSeconds,
      refresh_token: refreshToken,
    });
  });

  function isGranted(request: z.output<typeof TokenRequest>): boolean {
    if (request.grant_type === "refresh_token") return refreshTokens.delete(request.refresh_token);
    const kept = codes.get(request.code);
    codes.delete(request.code);
    const challenge = createHash("sha256").update(request.code_verifier).digest("base64url");
    return kept !== undefined && kept.endMs > now() && isSame(challenge, kept.challenge);
  }

  return {
    routes,
    admit: (person, redirectUri) => {
      admitted = { person, redirectUri };
      loginHint = secret();
      return { loginHint, password };
    },
  };
}
