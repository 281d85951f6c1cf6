package io.sluice.cli.image;

import java.util.List;

/** The content of an image: its layers, the lowest first. */
record Image(List<Layer> layers, boolean hasClassArchive) {
    Image {
        layers = List.copyOf(layers);
    }
}
