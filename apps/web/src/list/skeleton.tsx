/** Grey rows of the same height as real ones, until those arrive. */
export function Skeleton() {
  return (
    <div class="skeleton" aria-hidden="true">
      <div class="chips">
        <span class="chip" />
      </div>
      <div class="columns" />
      <ul class="pets">
        {Array.from({ length: 8 }, (_, index) => (
          <li key={index} aria-posinset={index + 1}>
            <div class="pet">
              <div class="pet-link">
                <span class="tile" />
                <span class="pet-name" />
                <span class="pet-id" />
                <span class="pet-category" />
              </div>
            </div>
          </li>
        ))}
      </ul>
    </div>
  );
}
