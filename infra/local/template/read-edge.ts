import type { EdgeModel } from "./application.ts";
import { asList, asObject, asString } from "./json.ts";
import type { ResolvedResource } from "./stack-resolver.ts";

/** Source: https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-properties-cloudfront-distribution-origin.html */
export function readEdge({ properties, address }: ResolvedResource): EdgeModel {
  const origins = asList(asObject(properties.DistributionConfig).Origins).map(asObject);
  return {
    originHeaders: origins
      .flatMap(({ OriginCustomHeaders: headers }) => asList(headers).map(asObject))
      .map(({ HeaderName: name, HeaderValue: value }) => ({
        name: asString(name, `${address} HeaderName`).toLowerCase(),
        value: asString(value, `${address} HeaderValue`),
      })),
  };
}
