interface TagNameProps {
  readonly tag: { readonly name: string; readonly emoji: string; readonly color: string };
}

/** The color is a decoration beside the name: any color can be read on. */
export function TagName({ tag: { name, emoji, color } }: TagNameProps) {
  return (
    <span class="tag">
      {color === "" ? null : <span class="tag-color" style={{ backgroundColor: color }} aria-hidden="true" />}
      {emoji === "" ? null : <span aria-hidden="true">{emoji} </span>}
      {name}
    </span>
  );
}
