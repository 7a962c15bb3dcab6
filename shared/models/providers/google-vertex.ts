import { createGoogleVertex } from "@ai-sdk/google-vertex/edge";
import { readServiceAccount, requestAccessToken } from "../google-access-token.ts";
import type { Connect } from "../provider-model.ts";

const label = /^[a-z0-9-]+$/;

export const connect: Connect = async ({ request, http, addresses, googleCloud, signal }) => {
  const account = readServiceAccount(request.key);
  const token = await requestAccessToken({ account, tokenUrl: googleCloud.tokenUrl, http, signal });
  const location = googleCloud.location ?? "global";
  if (!label.test(location)) throw new Error("the location is no name of one");
  const host = location === "global" ? "aiplatform.googleapis.com" : `${location}-aiplatform.googleapis.com`;
  const project = encodeURIComponent(account.project_id);
  const baseURL = `${addresses.vertex ?? `https://${host}`}/v1beta1/projects/${project}/locations/${location}/publishers/google`;
  const generate = http.only(baseURL, ":generateContent");
  const provider = createGoogleVertex({
    // Only the package's express mode does not search for credentials; the header is replaced below.
    apiKey: "none",
    baseURL,
    fetch: (input, init) => {
      const headers = new Headers(init?.headers);
      headers.delete("x-goog-api-key");
      headers.set("authorization", `Bearer ${token}`);
      return generate(input, { ...init, headers });
    },
  });
  return {
    model: provider(request.choice.model),
    options: {},
    cacheMark: undefined,
    optional: "absent",
    secrets: [token, account.private_key],
  };
};
