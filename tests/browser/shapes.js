// Watches what the page's scripts read of a state: a name that its declared shape does not have is an error of the page.
((roots, shapes) => {
  const views = new WeakMap();

  function resolved(shape) {
    if (shape?.$ref) return resolved(shapes[shape.$ref.split("/").pop()]);
    if (shape?.anyOf) return resolved(shape.anyOf.find((one) => one.type !== "null"));
    return shape ?? {};
  }

  function view(value, declared, path) {
    if (value === null || typeof value !== "object") return value;
    if (views.has(value)) return views.get(value);
    const shape = resolved(declared);
    const made = Array.isArray(value)
      ? value.map((one, at) => view(one, shape.prefixItems?.[at] ?? shape.items, `${path}[]`))
      : shape.properties
        ? new Proxy(value, {
            get: (target, name) => {
              const known = shape.properties[name];
              if (known === undefined && typeof name === "string" && !(name in target) && name !== "toJSON" && name !== "then")
                setTimeout(() => {
                  throw new Error(`The state has no ${path}.${name}: companion/desk/shapes does not name it.`);
                });
              return known === undefined ? target[name] : view(target[name], known, `${path}.${name}`);
            },
          })
        : value;
    views.set(value, made);
    return made;
  }

  const root = (value) => {
    const name = Object.keys(roots).find((key) => value !== null && typeof value === "object" && key in value);
    return name ? view(value, roots[name], name) : value;
  };
  const parse = JSON.parse;
  JSON.parse = (...given) => root(parse(...given));
  const json = Response.prototype.json;
  Response.prototype.json = async function () {
    return root(await json.call(this));
  };
})
