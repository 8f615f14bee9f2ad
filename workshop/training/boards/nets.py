"""The nets that read boards, as PyTorch modules."""

import torch
from torch import Tensor, nn

from workshop.training.nets import Residual, block


class MenNet(nn.Module):
    """Maps of men at a quarter of the straightened board's size, see `companion.vision.boards.men`.

    A summary of the whole board is added to every cell, because only both together show which side is the lighter one.
    """

    def __init__(self, maps: int, first: tuple[int, ...] = (0, 1)) -> None:
        super().__init__()
        self.down4 = nn.Sequential(block(3, 20, 2, 5), block(20, 40, 2), block(40, 40))
        self.down8 = nn.Sequential(block(40, 64, 2), Residual(64))
        self.down16 = nn.Sequential(block(64, 96, 2), Residual(96), Residual(96))
        # the mean comes last: OpenCV cannot add a convolution of one cell to a whole map
        self.whole = nn.Sequential(nn.Conv2d(96, 96, 1), nn.AdaptiveAvgPool2d(1))
        self.to8, self.join8 = nn.Conv2d(96, 64, 1), nn.Sequential(block(64, 64), Residual(64))
        self.to4, self.join4 = nn.Conv2d(64, 40, 1), nn.Sequential(block(40, 48), block(48, 48))
        self.head = nn.Conv2d(48, maps, 1)
        self.up = nn.Upsample(scale_factor=2, mode="nearest")
        for channel in first:
            nn.init.constant_(self.head.bias[channel], -4.0)  # nearly all cells are empty

    def forward(self, boards: Tensor) -> Tensor:
        """Return the maps (n, maps, h/4, w/4) of boards (n, 3, h, w); h and w are multiples of 16."""
        fourth = self.down4(boards)
        eighth = self.down8(fourth)
        sixteenth = self.down16(eighth)
        sixteenth = sixteenth + self.whole(sixteenth)
        eighth = self.join8(eighth + self.up(self.to8(sixteenth)))
        fourth = self.join4(fourth + self.up(self.to4(eighth)))
        return torch.as_tensor(self.head(fourth))


class NumberNet(nn.Module):
    """The man that a patch of 64 x 64 shows, see `companion.vision.boards.numbers`."""

    def __init__(self, outputs: int) -> None:
        super().__init__()
        self.layers = nn.Sequential(
            block(3, 24, 2, 5),
            block(24, 40),
            block(40, 64, 2),
            Residual(64),
            block(64, 96, 2),
            Residual(96),
            block(96, 128, 2),
            Residual(128),
            nn.Flatten(),
            nn.Dropout(0.2),
            nn.Linear(128 * 16, outputs),
        )

    def forward(self, patches: Tensor) -> Tensor:
        """Return logits (n, outputs) of patches (n, 3, 64, 64)."""
        return torch.as_tensor(self.layers(patches))
