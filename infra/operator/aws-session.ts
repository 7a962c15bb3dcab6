interface SessionConfig {
  readonly region: () => Promise<string>;
  readonly credentials: () => Promise<unknown>;
}

/** @returns the Region. @throws {Error} one sentence, when there is no Region or there are no credentials. */
export async function openSession({ config }: { readonly config: SessionConfig }): Promise<string> {
  const region = await config.region().catch(() => "");
  if (region === "")
    throw new Error("there is no Region: set AWS_REGION, or AWS_PROFILE to a profile that has one");
  try {
    await config.credentials();
  } catch (cause) {
    throw new Error(
      "there are no AWS credentials: set AWS_PROFILE (after `aws sso login` or `aws configure`), or the variables of a session",
      { cause },
    );
  }
  return region;
}
