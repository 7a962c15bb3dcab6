import { HttpRequest } from "@smithy/core/protocols";
import { Hash } from "@smithy/core/serde";
import { SignatureV4 } from "@smithy/signature-v4";

export interface RequestToSign {
  readonly url: string;
  readonly region: string;
  readonly service: string;
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string };
}

/** Returns the headers of a GET without a query, for a service that has no client here. */
export async function signGet({
  url,
  region,
  service,
  credentials,
}: RequestToSign): Promise<Readonly<Record<string, string>>> {
  const { host, pathname: path } = new URL(url);
  const sha256 = Hash.bind(null, "sha256");
  const signer = new SignatureV4({ credentials, region, service, sha256, applyChecksum: false });
  const { headers } = await signer.sign(new HttpRequest({ method: "GET", path, headers: { host } }));
  const { host: _host, ...signed } = headers;
  return signed;
}
