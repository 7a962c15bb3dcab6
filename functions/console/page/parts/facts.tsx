import { type ComponentChildren, Fragment } from "preact";

interface FactsProps {
  /** By their names, in their order; one that is null, undefined, false or empty is left out. */
  readonly of: Readonly<Record<string, ComponentChildren>>;
  readonly isPanel?: boolean;
}

/** A list of names with what is known by each. */
export function Facts({ of, isPanel = false }: FactsProps) {
  const known = Object.entries(of).filter(([, fact]) => Boolean(fact) || fact === 0);
  return (
    <dl class={isPanel ? "facts panel" : "facts"}>
      {known.map(([name, fact]) => (
        <Fragment key={name}>
          <dt>{name}</dt>
          <dd>{fact}</dd>
        </Fragment>
      ))}
    </dl>
  );
}
