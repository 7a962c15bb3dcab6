import { apiHostName, localRegion } from "./aws/local-account.ts";
import type { AddressBook } from "./lambda/address-book.ts";
import type { Application } from "./template/application.ts";

export type LocalAddresses = {
  readonly awsEndpointUrl: string;
  readonly gatewayPort: number;
  readonly jwks: { readonly declared: string; readonly local: string } | undefined;
};

/** Nothing fetches the issuer of tokens, so only the address of its keys is replaced. */
export function addressBookOf(app: Application, local: LocalAddresses): AddressBook {
  const gateway = `127.0.0.1:${local.gatewayPort}`;
  return [
    ...app.webSocketApis.flatMap(({ id, hostNames, stage }) => [
      { from: `https://${apiHostName(id)}`, to: local.awsEndpointUrl },
      { from: `wss://${apiHostName(id)}`, to: `ws://${gateway}` },
      ...hostNames.map((name) => ({ from: `wss://${name}`, to: `ws://${gateway}/${stage}` })),
    ]),
    ...app.httpApis.flatMap(({ id, hostNames }) =>
      [apiHostName(id), ...hostNames].map((name) => ({ from: `https://${name}`, to: `http://${gateway}` })),
    ),
    ...app.buckets.map(({ name }) => ({
      from: `https://${name}.s3.${localRegion}.amazonaws.com`,
      to: local.awsEndpointUrl,
    })),
    ...(local.jwks === undefined ? [] : [{ from: local.jwks.declared, to: local.jwks.local }]),
  ];
}
