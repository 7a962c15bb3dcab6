interface ActorProps {
  readonly of: { readonly actor_type: string; readonly actor: string; readonly address: string | null };
}

/** Who acted, and from where. */
export function Actor({ of: { actor_type, actor, address } }: ActorProps) {
  return (
    <span>
      {actor_type.replaceAll("_", " ")}{" "}
      <code title={actor}>{actor.length > 13 ? `${actor.slice(0, 13)}…` : actor}</code>
      {address === null ? null : <small> from {address}</small>}
    </span>
  );
}
