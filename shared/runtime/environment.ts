import { z } from "zod";

const Text = z.string().min(1);

/** Whole number of requests in 60 s. */
const Requests = z
  .string()
  .regex(/^[1-9]\d{0,8}$/)
  .transform(Number);

/** Every variable that a function of ours can be given; the template's constructs set them. */
const variables = {
  /** Set by Lambda itself. */
  AWS_REGION: Text,
  TABLE_NAME: Text,
  BUCKET_NAME: Text,
  /** Secrets lie under `das/<DEPLOYMENT>/`. */
  DEPLOYMENT: Text,
  /** Name or ARN of the secret that holds the signing key. */
  SIGNING_KEY_SECRET: Text,
  /** `https://…/<stage>`, where messages to drivers are posted. */
  WEBSOCKET_CALLBACK_URL: z.url({ protocol: /^https?$/ }),
  /** `wss://…`, what drivers dial. */
  WEBSOCKET_URL: z.url({ protocol: /^wss?$/ }),
  JWT_ISSUER: Text,
  JWT_AUDIENCE: Text,
  JWT_JWKS_URL: z.url({ protocol: /^https?$/ }),
  SERVICE_VERSION: Text,
  LOG_LEVEL: z.enum(["debug", "info", "warn", "error"]).default("info"),
  /** Requests of one API key in 60 s; absent or empty: not limited. */
  RATE_LIMIT_API_KEY: z.union([z.literal("").transform(() => undefined), Requests]).optional(),
};

type Variables = typeof variables;

export type Environment<Name extends keyof Variables> = { readonly [N in Name]: z.output<Variables[N]> };

/**
 * Reads the variables named, once, while a function starts.
 *
 * @throws {Error} one that names every variable that is missing or malformed, and no value.
 */
export function readEnvironment<Name extends keyof Variables>(
  names: readonly Name[],
  environment: Readonly<Record<string, string | undefined>> = process.env,
): Environment<Name> {
  const problems: string[] = [];
  const entries = names.map((name) => {
    const parsed = variables[name].safeParse(environment[name]);
    if (!parsed.success) problems.push(name);
    return [name, parsed.data] as const;
  });
  if (problems.length > 0) {
    throw new Error(`these environment variables are missing or malformed: ${problems.join(", ")}`);
  }
  return Object.fromEntries(entries) as Environment<Name>;
}
