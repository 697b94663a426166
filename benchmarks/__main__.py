"""Everything that is measured, in one run: python -m benchmarks."""

from benchmarks import app, compute, forward, learn, load, translator, whatif


def main() -> None:
    print("The real model's forward pass\n")
    forward.main()
    print("\nThe translator\n")
    translator.main()
    print("\nThe small model's training\n")
    learn.main()
    print("\nA change in the real model\n")
    whatif.main()
    print("\nThe app\n")
    app.main()
    print("\nStep by step, heads\n")
    compute.main()
    print("\nA class\n")
    load.main()


main()
